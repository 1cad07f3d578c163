// Names of classes on a map, each at the middle of its points, as far as there is room.

import { captionFont } from "./stage.js";
/** @import { Palette } from "./stage.js" */

/** @typedef {[x: number, y: number]} Place */

/** @param {number[]} values */
const median = (values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)];

/**
 * Where each class has its middle: `[x, y]` by number, of points `at(item)` of so many items.
 * @param {Iterable<number>} classes
 * @param {(item: number) => Place} at
 * @returns {[number, Place][]}
 */
export function middles(classes, at) {
  /** @type {Map<number, { xs: number[], ys: number[] }>} */
  const found = new Map();
  let item = 0;
  for (const of of classes) {
    const { xs, ys } = found.get(of) ?? { xs: [], ys: [] };
    const [x, y] = at(item++);
    xs.push(x);
    ys.push(y);
    found.set(of, { xs, ys });
  }
  return [...found].map(([of, { xs, ys }]) => [of, [median(xs), median(ys)]]);
}

/**
 * Write the names of classes on a canvas; those that would cover another one are moved, or left out.
 * @param {CanvasRenderingContext2D} context
 * @param {HTMLCanvasElement} canvas
 * @param {Palette} colors
 * @param {Iterable<number>} classes
 * @param {string[]} names
 * @param {(item: number) => Place} at
 */
export function writeClasses(context, canvas, colors, classes, names, at) {
  const letter = parseFloat(captionFont(canvas));
  Object.assign(context, { font: `600 ${captionFont(canvas)}`, textAlign: "center", textBaseline: "middle", lineJoin: "round" });
  /** @type {[left: number, top: number, half: number][]} */
  const taken = [];
  for (const [of, [x, y]] of middles(classes, at)) {
    const half = context.measureText(names[of]).width / 2;
    const row = [0, 1, -1, 2, -2].map((by) => y + by * 1.2 * letter).find((place) => taken.every(([left, top, wide]) => Math.abs(top - place) > 1.15 * letter || Math.abs(left - x) > wide + half));
    const inside = Math.min(Math.max(x, half + 4), canvas.clientWidth - half - 4);
    if (row === undefined || row < letter || row > canvas.clientHeight - letter) continue;
    taken.push([inside, row, half]);
    Object.assign(context, { strokeStyle: colors.paper, fillStyle: colors.ink, lineWidth: 4 });
    context.strokeText(names[of], inside, row);
    context.fillText(names[of], inside, row);
  }
}
