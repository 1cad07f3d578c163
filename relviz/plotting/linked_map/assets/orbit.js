// Maps in three dimensions: the side that they are looked at from, and where their points lie on the screen then.

import { STEPS } from "./geometry.js";
/** @import { Looks } from "./coloring.js" */
/** @import { Plot, Point } from "./geometry.js" */
/** @import { Theme } from "./overlay.js" */
/** @import { DeepPane, Pane } from "./payload.js" */

/** @typedef {{ yaw: number, pitch: number }} Side that points in space are seen from, in radians */

export const FRONT = { yaw: 0, pitch: 0 };
const EYE = 5; // how far away the eye is, in half sides of what is seen
const NEAREST = 0.25; // of that, beyond which nothing seems larger
const PER_PIXEL = 0.009; // radians
const DEPTHS = 512; // steps of depth that are told apart

/**
 * The side after a drag by that many pixels: what is in front follows the hand; up stays up.
 * @param {Side} side
 * @param {number} dx
 * @param {number} dy
 * @returns {Side}
 */
export function orbited({ yaw, pitch }, dx, dy) {
  const most = Math.PI / 2;
  return { yaw: (yaw + dx * PER_PIXEL) % (2 * Math.PI), pitch: Math.min(most, Math.max(-most, pitch + dy * PER_PIXEL)) };
}

/**
 * The side a quarter of a right angle further on, in a direction of the arrow keys.
 * @param {Side} side
 * @param {Point} direction
 * @returns {Side}
 */
export function stepped(side, { x, y }) {
  const pixels = Math.PI / 8 / PER_PIXEL;
  return orbited(side, x * pixels, y * pixels);
}

/**
 * Rows of the rotation: about the upright axis, then tipped. What comes out points right, up, and to the eye.
 * @param {Side} side
 */
export function rotation({ yaw, pitch }) {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return [
    [cy, 0, sy],
    [sp * sy, cp, -sp * cy],
    [-cp * sy, sp, cp * cy],
  ];
}

/**
 * A pane of points in space as one of points in the plane, and how near each is: 0 to 65535.
 * @param {DeepPane} pane
 * @param {Side} side
 * @returns {Pane}
 */
export function projected(pane, side) {
  const { space, reach, half } = pane;
  const [[a, b, c], [d, e, f], [g, h, i]] = rotation(side);
  const n = space.length / 3;
  const [places, depths] = [new Float32Array(2 * n), new Uint16Array(n)];
  const [scale, eye] = [(2 * reach) / STEPS, EYE * half];
  let most = half;
  for (let row = 0; row < n; row++) {
    const x = space[3 * row] * scale - reach;
    const y = space[3 * row + 1] * scale - reach;
    const z = space[3 * row + 2] * scale - reach;
    const toEye = g * x + h * y + i * z;
    const larger = eye / Math.max(NEAREST * eye, eye - toEye);
    const [right, up] = [(a * x + b * y + c * z) * larger, (d * x + e * y + f * z) * larger];
    [places[2 * row], places[2 * row + 1]] = [right, up];
    most = Math.max(most, Math.abs(right), Math.abs(up));
    depths[row] = Math.min(STEPS, Math.max(0, (toEye / reach / 2 + 0.5) * STEPS));
  }
  const steps = STEPS / (2 * most);
  const positions = Uint16Array.from(places, (place) => Math.round((place + most) * steps));
  const digest = `${pane.digest} ${side.yaw} ${side.pitch}`;
  return { ...pane, positions, depths, digest, side, box: [-most, -most, most, most], home: [-half, -half, half, half] };
}

/**
 * The order of drawing with what is far away first; rows that are raised and stars stay last.
 * @param {Pick<Looks, "order" | "plain">} looks
 * @param {Uint16Array} depths
 */
export function byDepth({ order, plain }, depths) {
  const starts = new Uint32Array(DEPTHS + 1);
  const step = (STEPS + 1) / DEPTHS;
  for (let i = 0; i < plain; i++) starts[Math.floor(depths[order[i]] / step) + 1] += 1;
  for (let at = 1; at <= DEPTHS; at++) starts[at] += starts[at - 1];
  const sorted = order.slice();
  for (let i = 0; i < plain; i++) sorted[starts[Math.floor(depths[order[i]] / step)]++] = order[i];
  return sorted;
}

const CORNER = 34;
const LONG = 22;

/**
 * Draw the three axes in the lower left corner, the nearest last.
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {Side} side
 * @param {Theme} theme
 */
export function drawAxes(context, plot, side, theme) {
  const [right, up, toEye] = rotation(side);
  const [x, y] = [plot.left + CORNER, plot.top + plot.height - CORNER];
  context.font = `600 11px ${theme.font}`;
  context.strokeStyle = context.fillStyle = theme.inkCss;
  context.textAlign = "center";
  context.lineWidth = 1.5;
  for (const axis of [0, 1, 2].sort((one, other) => toEye[one] - toEye[other])) {
    context.globalAlpha = 0.65 + 0.3 * toEye[axis];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + LONG * right[axis], y - LONG * up[axis]);
    context.stroke();
    context.fillText(String(axis + 1), x + (LONG + 8) * right[axis], y - (LONG + 8) * up[axis]);
  }
  context.textAlign = "start";
  context.globalAlpha = 1;
}
