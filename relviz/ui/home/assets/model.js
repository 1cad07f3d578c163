// What Python sends: places of every row in both models for each view, and what B finds for it.

/** @typedef {{ url: string, cell: number, columns: number }} Sheet a picture of each row, side by side */
/** @typedef {{ count: number, found: number, nearest: Uint16Array, places: Float32Array }} View both models through so many anchors */
/** @typedef {{ x: number, y: number, width: number, height: number }} Pane of the stage, in pixels */

/**
 * What Python says of the picture.
 * @typedef {object} Head
 * @property {number} rows
 * @property {number[]} counts of anchors, a view each; none is the absolute one
 * @property {number[]} found a share for each view
 * @property {number[]} examples
 * @property {[string, string]} models
 * @property {string[]} names
 * @property {Sheet} sheet
 */

/** @typedef {Head & { views: View[], anchors: Uint16Array }} Model */

export const ABSOLUTE = 0;
const FULL = 65535;

/**
 * The message as views: `about` is its head, `views[v]` has `count`, `found`, `nearest` and `place(side, row)`.
 * @param {Uint8Array<ArrayBuffer>} data
 * @returns {Model}
 */
export function decode(data) {
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  /** @type {Head} */
  const about = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const numbers = new Uint16Array(data.slice(4 + length).buffer);
  const { rows, counts } = about;
  const each = 4 * rows;
  const views = counts.map((count, at) => {
    const places = numbers.subarray(at * each, (at + 1) * each);
    const from = counts.length * each + at * rows;
    return {
      count,
      found: about.found[at],
      nearest: numbers.subarray(from, from + rows),
      places: Float32Array.from(places, (value) => value / FULL),
    };
  });
  const anchors = numbers.subarray(counts.length * (each + rows));
  return { ...about, views, anchors };
}

/**
 * Whether a row is an anchor in a view.
 * @param {Model} model
 * @param {number} view
 * @param {number} row
 */
export function isAnchor(model, view, row) {
  return model.anchors.subarray(0, model.views[view].count).includes(row);
}

/**
 * The view that is shown when the relative spaces are asked for first.
 * @param {Pick<Model, "counts">} model
 * @param {number} [count]
 */
export function firstRelative(model, count = 300) {
  const at = model.counts.indexOf(count);
  return at > 0 ? at : model.counts.length - 1;
}

/**
 * A share as whole percent, as it is shown.
 * @param {number} share
 */
export function percent(share) {
  return `${Math.round(100 * share)}%`;
}

/**
 * Places between two views, `t` from 0 to 1, slow at both ends.
 * @param {Float32Array} from
 * @param {Float32Array} to
 * @param {number} t
 * @param {Float32Array} into
 */
export function between(from, to, t, into) {
  const eased = t * t * (3 - 2 * t);
  for (let at = 0; at < into.length; at++) into[at] = from[at] + (to[at] - from[at]) * eased;
  return into;
}

/**
 * The two panes within a stage, side by side, one above the other where it is narrow.
 * @param {number} width
 * @param {number} height
 * @param {number} [gap]
 * @returns {[Pane, Pane]}
 */
export function panes(width, height, gap = 12) {
  if (width >= 1.1 * height) {
    const wide = (width - gap) / 2;
    return [{ x: 0, y: 0, width: wide, height }, { x: wide + gap, y: 0, width: wide, height }];
  }
  const high = (height - gap) / 2;
  return [{ x: 0, y: 0, width, height: high }, { x: 0, y: high + gap, width, height: high }];
}

/**
 * Where a row lies on the stage; pictures keep `inset` pixels from the edges, and `top` from the caption.
 * @param {Pane} pane
 * @param {ArrayLike<number>} places
 * @param {number} rows
 * @param {number} side
 * @param {number} row
 * @param {number} inset
 * @param {number} top
 * @returns {[number, number]}
 */
export function spot(pane, places, rows, side, row, inset, top) {
  const at = 2 * (side * rows + row);
  return [
    pane.x + inset + places[at] * (pane.width - 2 * inset),
    pane.y + pane.height - inset - places[at + 1] * (pane.height - inset - top),
  ];
}

/**
 * The row nearest to a point, `-1` if none is within reach. `spots` are x, y of one row after the other.
 * @param {ArrayLike<number>} spots
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 */
export function nearestSpot(spots, x, y, reach) {
  let best = reach * reach;
  let row = -1;
  for (let at = 0; at < spots.length; at += 2) {
    const far = (spots[at] - x) ** 2 + (spots[at + 1] - y) ** 2;
    if (far < best) [best, row] = [far, at / 2];
  }
  return row;
}

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The next row from one in the direction of an arrow key: near, and not much to the side.
 * @param {ArrayLike<number>} spots
 * @param {number} row
 * @param {string} key
 */
export function nextSpot(spots, row, key) {
  const [ahead, down] = WAYS[key];
  let best = Infinity;
  let next = row;
  for (let at = 0; at < spots.length; at += 2) {
    const [dx, dy] = [spots[at] - spots[2 * row], spots[at + 1] - spots[2 * row + 1]];
    const along = dx * ahead + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * ahead);
    if (along > 0.5 && aside <= 2 * along && along + 2 * aside < best) [best, next] = [along + 2 * aside, at / 2];
  }
  return next;
}

/**
 * What a person who cannot see the picture is told of a row.
 * @param {Model} model
 * @param {number} view
 * @param {number} row
 */
export function spoken(model, view, row) {
  const { count, nearest } = model.views[view];
  const through = count ? `through ${count} anchors` : "through absolute coordinates";
  const right = nearest[row] === row;
  const kind = isAnchor(model, view, row) ? ", an anchor" : "";
  return `${model.names[row]}${kind}: ${through}, B finds ${right ? "it" : model.names[nearest[row]]}.`;
}
