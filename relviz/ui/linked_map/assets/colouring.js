// What every row looks like: its colour, its shape, whether it is hidden, and the order of drawing.

const DIMMED = 0.1;
const DIMMED_ANCHOR = 0.25;
const STOPS = 256;
export const DOT = 0;
export const STAR = 1;
export const HOLLOW_STAR = 2;
export const RAISED = 3;

function rgb(hex) {
  const number = parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** Colours of the codes: one a class, or a scale of 256 between the given stops. */
function palette(colours) {
  const stops = colours.palette.map(rgb);
  if (colours.kind === "class") return stops;
  return Array.from({ length: STOPS }, (_, i) => {
    const at = (i / (STOPS - 1)) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    return stops[low].map((value, c) => Math.round(value + (stops[low + 1][c] - value) * (at - low)));
  });
}

/** Codes of a number: 0 … 65534 within the scale, 65535 where there is none. */
const NO_NUMBER = 65535;

/** Looks of all rows: rgba (4 bytes a row), shape, hidden, and the rows to draw, last on top. */
export function looksOf({ n, codes, flags, colours }, { selection, anchorsShown, hiddenNames }) {
  const rgba = new Uint8Array(4 * n);
  const shape = new Uint8Array(n);
  const hidden = new Uint8Array(n);
  const scale = palette(colours);
  const isClass = colours.kind === "class";
  const gone = isClass ? colours.names.map((name) => hiddenNames.has(name)) : [];
  const missing = rgb(colours.missing);
  const alpha = colours.alpha;
  const below = [];
  const raised = [];
  const stars = [];
  for (let row = 0; row < n; row++) {
    const code = codes[row];
    const starred = anchorsShown && (flags[row] & 3) !== 0;
    if (isClass && gone[code]) {
      hidden[row] = 1;
      continue;
    }
    const colour = isClass ? scale[code] : code === NO_NUMBER ? missing : scale[(code * 255 / 65534 + 0.5) | 0];
    const chosen = selection.marks[row];
    const dim = selection.count > 1 && !chosen;
    rgba[4 * row] = colour[0];
    rgba[4 * row + 1] = colour[1];
    rgba[4 * row + 2] = colour[2];
    rgba[4 * row + 3] = 255 * (dim ? (starred ? DIMMED_ANCHOR : DIMMED) : starred || chosen ? 1 : alpha);
    shape[row] = starred ? (flags[row] & 2 ? HOLLOW_STAR : STAR) : chosen ? RAISED : DOT;
    (starred ? stars : chosen ? raised : below).push(row);
  }
  return { rgba, shape, hidden, order: Uint32Array.from([...below, ...raised, ...stars]) };
}

/** What a row's colour says, in words: its class, or its number. */
export function colourWords(payload, row) {
  const { codes, colours } = payload;
  if (colours.kind === "class") return colours.names[codes[row]];
  if (colours.kind === "none" || codes[row] === NO_NUMBER) return "";
  const value = colours.low + ((colours.high - colours.low) * codes[row]) / 65534;
  return `${colours.title} ${plainNumber(value)}`;
}

export function plainNumber(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(2);
  return String(Number(value.toFixed(size < 10 ? 3 : 1)));
}
