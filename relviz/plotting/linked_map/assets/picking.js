// Which rows lie under the cursor, in a box, in a lasso. Plain loops over typed arrays: a million rows take a
// few milliseconds, so no index has to be built or kept.

/** @import { Frame, Point, Positions } from "./geometry.js" */

/**
 * The visible row nearest to a pixel and within reach of it, or -1.
 * @param {Positions} positions
 * @param {Uint8Array} hidden
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 */
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

/**
 * The visible row that is next in a direction (unit vector, y downwards) from a pixel, or -1.
 * @param {Positions} positions
 * @param {Uint8Array} hidden
 * @param {Frame} frame
 * @param {Point} from
 * @param {Point} direction
 * @param {number} except
 */
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

/**
 * Mark visible rows within a polygon of pixels [x0, y0, x1, y1, …] in `marks`.
 * @param {Positions} positions
 * @param {Uint8Array} hidden
 * @param {Frame} frame
 * @param {number[]} polygon
 * @param {Uint8Array} marks
 */
export function markInPolygon(positions, hidden, frame, polygon, marks) {
  let [left, right] = [Infinity, -Infinity];
  for (let i = 0; i < polygon.length; i += 2) {
    left = Math.min(left, polygon[i]);
    right = Math.max(right, polygon[i]);
  }
  const { first, lines } = edgesByLine(polygon);
  for (let row = 0, n = hidden.length; row < n; row++) {
    const y = positions[2 * row + 1] * frame.sy + frame.oy;
    const edges = lines[Math.floor(y) - first];
    if (!edges || hidden[row]) continue;
    const x = positions[2 * row] * frame.sx + frame.ox;
    if (x >= left && x <= right && crossings(edges, x, y) % 2) marks[row] = 1;
  }
}

/**
 * The edges of a polygon, four numbers each, that each line of pixels has part of: a row asks few of a long lasso.
 * @param {number[]} polygon
 */
function edgesByLine(polygon) {
  const ys = polygon.filter((_, i) => i % 2);
  const first = Math.floor(Math.min(...ys));
  const lines = Array.from({ length: Math.floor(Math.max(...ys)) - first + 1 }, () => /** @type {number[]} */ ([]));
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const edge = [polygon[i], polygon[i + 1], polygon[j], polygon[j + 1]];
    const [low, high] = [Math.min(edge[1], edge[3]), Math.max(edge[1], edge[3])];
    for (let line = Math.floor(low); line <= Math.floor(high); line++) lines[line - first].push(...edge);
  }
  return { first, lines };
}

/**
 * How many of the edges a ray to the right meets.
 * @param {number[]} edges
 * @param {number} x
 * @param {number} y
 */
function crossings(edges, x, y) {
  let count = 0;
  for (let i = 0; i < edges.length; i += 4) {
    const [yi, yj] = [edges[i + 1], edges[i + 3]];
    if (yi > y !== yj > y && x < ((edges[i + 2] - edges[i]) * (y - yi)) / (yj - yi) + edges[i]) count += 1;
  }
  return count;
}

/**
 * @param {Point} a
 * @param {Point} b
 */
export function boxPolygon(a, b) {
  return [a.x, a.y, b.x, a.y, b.x, b.y, a.x, b.y];
}
