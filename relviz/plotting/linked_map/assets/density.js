// How dense all rows are, as lines of equal density over the points of a sample.

import { STEPS } from "./geometry.js";
import { wipe, within } from "./overlay.js";

const LEVELS = [24, 64, 112, 168];
const STRENGTH = 0.7;
const FINER = 3;
const ROUNDS = 5;

/** Draw the lines of all panes that have them. */
export function drawDensity(context, { ratio, panes, theme }) {
  wipe(context, ratio);
  context.imageSmoothingEnabled = true;
  for (const pane of panes) {
    if (!pane?.density) continue;
    const image = linesImage(pane.density, theme);
    const { frame, plot } = pane;
    const [width, height] = [STEPS * frame.sx, -STEPS * frame.sy];
    within(context, plot, () => context.drawImage(image, frame.ox, frame.oy - height, width, height));
  }
}

const images = new WeakMap();

function linesImage(density, { ink, inkCss }) {
  const known = images.get(density);
  if (known?.inkCss === inkCss) return known.canvas;
  const coarse = Math.sqrt(density.length);
  const side = coarse * FINER;
  const levels = levelsOf(blurred(density, coarse), coarse, side);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [side, side];
  const context = canvas.getContext("2d");
  const image = context.createImageData(side, side);
  for (let i = 0; i < levels.length - side - 1; i++) {
    const lastColumn = (i + 1) % side === 0; // what comes next lies on the next line
    if ((lastColumn || levels[i] === levels[i + 1]) && levels[i] === levels[i + side]) continue;
    image.data.set([255 * ink[0], 255 * ink[1], 255 * ink[2], 255 * STRENGTH], 4 * i);
  }
  context.putImageData(image, 0, 0);
  images.set(density, { inkCss, canvas });
  return canvas;
}

/** How many levels lie at or below each cell of a finer grid, between whose coarse ones it is interpolated. */
function levelsOf(values, coarse, side) {
  const levels = new Uint8Array(side * side);
  const last = coarse - 1.001;
  for (let i = 0; i < levels.length; i++) {
    const x = Math.min(last, Math.max(0, ((i % side) + 0.5) / FINER - 0.5));
    const y = Math.min(last, Math.max(0, (Math.floor(i / side) + 0.5) / FINER - 0.5));
    const [column, line] = [Math.floor(x), Math.floor(y)];
    const at = line * coarse + column;
    const upper = values[at] + (values[at + 1] - values[at]) * (x - column);
    const lower = values[at + coarse] + (values[at + coarse + 1] - values[at + coarse]) * (x - column);
    const value = upper + (lower - upper) * (y - line);
    for (const level of LEVELS) levels[i] += Number(value >= level);
  }
  return levels;
}

/** Means of neighboring cells, taken some times over; the outermost cells keep their values. */
function blurred(values, side, rounds = ROUNDS) {
  if (rounds === 0) return values;
  const mean = Float32Array.from(values);
  for (let i = side + 1; i < values.length - side - 1; i++) {
    if (i % side === 0 || (i + 1) % side === 0) continue;
    let sum = 0;
    for (const shift of [-side - 1, -side, -side + 1, -1, 0, 1, side - 1, side, side + 1]) sum += values[i + shift];
    mean[i] = sum / 9;
  }
  return blurred(mean, side, rounds - 1);
}
