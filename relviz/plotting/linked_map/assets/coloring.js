// What every row looks like: its color, its shape, whether it is hidden, and the order of drawing.

import { HOLLOW } from "./payload.js";
/** @import { ClassColors, Colors, Payload } from "./payload.js" */
/** @import { Selection } from "./selection.js" */

/**
 * @typedef {object} Looks
 * @property {Uint8Array} rgba
 * @property {Uint8Array} shape
 * @property {Uint8Array} hidden
 * @property {Uint32Array} order
 * @property {number} plain
 * @property {number} raised
 */

/** @typedef {{ selection: Selection, starsShown: number, hiddenNames: Set<string> }} Wanted */

const DIMMED = 0.1;
const DIMMED_ANCHOR = 0.25;
const STOPS = 256;
export const DOT = 0;
export const STAR = 1;
export const HOLLOW_STAR = 2;
export const RAISED = 3;

/** Codes of a number: 0 … 65534 within the scale, 65535 where there is none. */
const NO_NUMBER = 65535;

/**
 * @param {string} hex
 * @returns {[number, number, number]}
 */
function rgb(hex) {
  const number = parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/**
 * Colors of the codes, three bytes each: one a class, or a scale between the given stops and one for none.
 * @param {Colors} colors
 */
function palette(colors) {
  const stops = colors.palette.map(rgb);
  if (colors.kind === "class") return Uint8Array.from(stops.flat());
  const scale = Array.from({ length: STOPS }, (_, i) => {
    const at = (i / (STOPS - 1)) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    return stops[low].map((value, c) => Math.round(value + (stops[low + 1][c] - value) * (at - low)));
  });
  return Uint8Array.from([...scale, rgb(colors.missing)].flat());
}

/**
 * Looks of all rows: rgba (4 bytes a row), shape, hidden, and the rows to draw, last on top: those before `plain` are dots, those before `raised` raised ones.
 * @param {Pick<Payload, "n" | "codes" | "flags" | "colors">} payload
 * @param {Wanted} wanted
 * @returns {Looks}
 */
export function looksOf({ n, codes, flags, colors }, { selection, starsShown, hiddenNames }) {
  const [rgba, shape, hidden] = [new Uint8Array(4 * n), new Uint8Array(n), new Uint8Array(n)];
  const [order, raised, stars] = [new Uint32Array(n), new Uint32Array(n), new Uint32Array(n)];
  let [drawn, raisedCount, starCount] = [0, 0, 0];
  const scale = palette(colors);
  const isClass = colors.kind === "class";
  const gone = Uint8Array.from(isClass ? colors.names : [], (name) => Number(hiddenNames.has(name)));
  const { marks } = selection;
  const dims = selection.count > 1;
  for (let row = 0; row < n; row++) {
    const code = codes[row];
    if (isClass && gone[code]) {
      hidden[row] = 1;
      continue;
    }
    const starred = flags[row] & starsShown;
    const chosen = marks[row] !== 0;
    const place = 3 * (isClass ? code : code === NO_NUMBER ? STOPS : ((code * (STOPS - 1)) / 65534 + 0.5) | 0);
    rgba[4 * row] = scale[place];
    rgba[4 * row + 1] = scale[place + 1];
    rgba[4 * row + 2] = scale[place + 2];
    const strength = dims && !chosen ? (starred ? DIMMED_ANCHOR : DIMMED) : starred || chosen ? 1 : colors.alpha;
    rgba[4 * row + 3] = 255 * strength;
    if (starred) {
      shape[row] = starred & HOLLOW ? HOLLOW_STAR : STAR;
      stars[starCount++] = row;
    } else if (chosen) {
      shape[row] = RAISED;
      raised[raisedCount++] = row;
    } else order[drawn++] = row;
  }
  const plain = drawn;
  for (const above of [raised.subarray(0, raisedCount), stars.subarray(0, starCount)]) {
    order.set(above, drawn);
    drawn += above.length;
  }
  return { rgba, shape, hidden, order: order.subarray(0, drawn), plain, raised: plain + raisedCount };
}

/**
 * What a class is called; hidden classes are known by their own names.
 * @param {ClassColors} colors
 * @param {number} at
 */
export function classWords({ names, shown }, at) {
  return (shown ?? names)[at];
}

/**
 * What a row's color says, in words: its class, or its number.
 * @param {Payload} payload
 * @param {number} row
 */
export function colorWords(payload, row) {
  const { codes, colors } = payload;
  if (colors.kind === "class") return classWords(colors, codes[row]);
  if (colors.kind === "none" || codes[row] === NO_NUMBER) return "";
  const value = colors.low + ((colors.high - colors.low) * codes[row]) / 65534;
  return `${colors.title} ${plainNumber(value)}`;
}

/** @param {number} value */
export function plainNumber(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(2);
  return String(Number(value.toFixed(size < 10 ? 3 : 1)));
}
