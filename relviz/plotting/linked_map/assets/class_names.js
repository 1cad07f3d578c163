// Names of classes and clusters at the middle of their points, where these lie together.

import { inside, pixelOf } from "./geometry.js";
/** @import { Positions } from "./geometry.js" */
/** @import { Scene, Theme } from "./overlay.js" */
/** @import { ClassColors, Colors, Payload } from "./payload.js" */
/** @import { DrawnPane } from "./picture.js" */
/** @import { Taken } from "./placing.js" */

/** @typedef {{ name: string, color: string, positions: [number, number], count: number }} Center */
/** @typedef {{ text: string, color: string, left: number, right: number, y: number }} NamePlate */

const MOST = 20; // names in sight
const COMPACT = 0.9; // spread of a class beside that of all points
const LINE = 18;
const SHIFTS = [0, -1, 1, -2, 2];
const SWATCH = 12;
const MOST_ASKED = 50_000; // rows of a class whose median is taken; of more, every so many-th
const PLATE = 0.82; // how little of the points is seen through it
export const NAME_FONT = 13;

/** @type {WeakMap<Positions, { codes: ArrayLike<number>, colors: Colors, centers: Center[] }>} */
const known = new WeakMap();

/**
 * Classes whose points lie together in a pane, the largest first: name, color, and where its middle is.
 * @param {Pick<DrawnPane, "positions" | "to">} pane
 * @param {Pick<Payload, "codes"> & { colors: ClassColors }} payload
 * @returns {Center[]}
 */
export function centersOf({ positions, to: { frame } }, { codes, colors }) {
  const found = known.get(positions);
  if (found?.codes === codes && found.colors === colors) return found.centers;
  const rows = rowsByCode(codes, colors.names.length);
  const steps = { sx: frame.sx, sy: frame.sy };
  const whole = spread(positions, thinned(codes.length, (row) => row), steps).spread;
  /** @type {Center[]} */
  const centers = colors.names.flatMap((name, code) => {
    if (!name || colors.palette[code] === colors.missing || !rows[code].length) return [];
    const some = thinned(rows[code].length, (at) => rows[code][at]);
    const { x, y, spread: own } = spread(positions, some, steps);
    return own <= COMPACT * whole ? [{ name, color: colors.palette[code], positions: [x, y], count: rows[code].length }] : [];
  });
  centers.sort((a, b) => b.count - a.count);
  known.set(positions, { codes, colors, centers });
  return centers;
}

/**
 * @param {ArrayLike<number>} codes
 * @param {number} many
 */
function rowsByCode(codes, many) {
  const rows = Array.from({ length: many }, () => /** @type {number[]} */ ([]));
  for (let row = 0; row < codes.length; row++) rows[codes[row]].push(row);
  return rows;
}

/**
 * @param {number} count
 * @param {(at: number) => number} rowAt
 */
function thinned(count, rowAt) {
  const step = Math.max(1, count / MOST_ASKED);
  return Uint32Array.from({ length: Math.min(count, MOST_ASKED) }, (_, i) => rowAt(Math.floor(i * step)));
}

/**
 * The median of points, and the median of their distances from it.
 * @param {Positions} positions
 * @param {Uint32Array} rows
 * @param {{ sx: number, sy: number }} steps
 */
function spread(positions, rows, { sx, sy }) {
  const x = median(Float64Array.from(rows, (row) => positions[2 * row]));
  const y = median(Float64Array.from(rows, (row) => positions[2 * row + 1]));
  const away = Float64Array.from(rows, (row) => Math.hypot((positions[2 * row] - x) * sx, (positions[2 * row + 1] - y) * sy));
  return { x, y, spread: median(away) };
}

/** @param {Float64Array} values */
function median(values) {
  values.sort();
  const half = values.length >> 1;
  return values.length % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/**
 * The names in sight, each where it lies over nothing: text, color, left, right, y.
 * @param {CanvasRenderingContext2D} context
 * @param {DrawnPane} pane
 * @param {Pick<Scene, "payload" | "hiddenNames">} scene
 * @param {Taken} taken
 * @returns {NamePlate[]}
 */
export function namesIn(context, pane, { payload, hiddenNames }, taken) {
  const { codes, colors } = payload;
  if (colors.kind !== "class") return [];
  const { plot, frame } = pane;
  const names = [];
  for (const { name, color, positions } of centersOf(pane, { codes, colors })) {
    if (names.length === MOST) break;
    const { x, y } = pixelOf(positions, 0, frame);
    if (hiddenNames.has(name) || !inside(plot, x, y)) continue;
    const width = context.measureText(name).width + SWATCH;
    const left = Math.max(plot.left + 4, Math.min(plot.left + plot.width - width - 4, x - width / 2));
    const place = SHIFTS.map((shift) => y + shift * LINE).find(
      (middle) =>
        middle - LINE / 2 >= plot.top &&
        middle + LINE / 2 <= plot.top + plot.height &&
        taken.claim(left - 3, middle - LINE / 2, left + width + 3, middle + LINE / 2),
    );
    if (place !== undefined) names.push({ text: name, color, left, right: left + width, y: place });
  }
  return names;
}

/**
 * Draw names, each on a plate that lets the points through, after a dot in the color of its class.
 * @param {CanvasRenderingContext2D} context
 * @param {NamePlate[]} names
 * @param {Theme} theme
 */
export function drawNames(context, names, theme) {
  context.font = `600 ${NAME_FONT}px ${theme.font}`;
  for (const { text, color, left, right, y } of names) {
    context.globalAlpha = PLATE;
    context.fillStyle = theme.paperCss;
    context.beginPath();
    context.roundRect(left - 3, y - LINE / 2, right - left + 6, LINE, 4);
    context.fill();
    context.globalAlpha = 1;
    context.fillStyle = color;
    context.beginPath();
    context.arc(left + 4, y, 4, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = theme.inkCss;
    context.fillText(text, left + SWATCH, y);
  }
}
