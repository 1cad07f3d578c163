// Which rows lie under the cursor, in a box, in a lasso. Plain loops over typed arrays: all of 100,000
// rows take well under a millisecond, so no index has to be built or kept.

/** The visible row nearest to a pixel and within reach of it, or -1. */
export function nearest(positions, hidden, frame, x, y, reach) {
  let best = -1;
  let least = reach * reach;
  for (let row = 0, n = hidden.length; row < n; row++) {
    if (hidden[row]) continue;
    const dx = positions[2 * row] * frame.sx + frame.ox - x;
    const dy = positions[2 * row + 1] * frame.sy + frame.oy - y;
    const distance = dx * dx + dy * dy;
    if (distance <= least) {
      least = distance;
      best = row;
    }
  }
  return best;
}

/** The visible row that is next in a direction (unit vector, y downwards) from a pixel, or -1. */
export function nextInDirection(positions, hidden, frame, from, direction, except) {
  let best = -1;
  let least = Infinity;
  for (let row = 0, n = hidden.length; row < n; row++) {
    if (hidden[row] || row === except) continue;
    const dx = positions[2 * row] * frame.sx + frame.ox - from.x;
    const dy = positions[2 * row + 1] * frame.sy + frame.oy - from.y;
    const along = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y - dy * direction.x);
    if (along <= 0.01 || aside > along) continue;
    const cost = along + 2 * aside;
    if (cost < least) {
      least = cost;
      best = row;
    }
  }
  return best;
}

/** Mark visible rows within a polygon of pixels [x0, y0, x1, y1, …] in `marks`. */
export function markInPolygon(positions, hidden, frame, polygon, marks) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < polygon.length; i += 2) {
    left = Math.min(left, polygon[i]);
    right = Math.max(right, polygon[i]);
    top = Math.min(top, polygon[i + 1]);
    bottom = Math.max(bottom, polygon[i + 1]);
  }
  for (let row = 0, n = hidden.length; row < n; row++) {
    if (hidden[row]) continue;
    const x = positions[2 * row] * frame.sx + frame.ox;
    const y = positions[2 * row + 1] * frame.sy + frame.oy;
    if (x < left || x > right || y < top || y > bottom) continue;
    if (contains(polygon, x, y)) marks[row] = 1;
  }
}

function contains(polygon, x, y) {
  let within = false;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const yi = polygon[i + 1];
    const yj = polygon[j + 1];
    if (yi > y !== yj > y && x < ((polygon[j] - polygon[i]) * (y - yi)) / (yj - yi) + polygon[i]) within = !within;
  }
  return within;
}

export function boxPolygon(a, b) {
  return [a.x, a.y, b.x, a.y, b.x, b.y, a.x, b.y];
}
