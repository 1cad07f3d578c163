// Where a point lies. Positions come as 16-bit numbers within a pane's box; the home limits of a pane
// are what it opens on. In unit coordinates home is centered on 0 and just fits a plot whose shorter
// side is 1, so a view (center and zoom) means the same part of the picture whatever is projected.

/** @typedef {[number, number, number, number]} Box lowest x and y, highest x and y */
/** @typedef {{ x: number, y: number }} Point in pixels of the grid, y downwards */
/** @typedef {{ x: number, y: number, zoom: number }} View */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {Size & { left: number, top: number }} Plot where it lies in the grid, in pixels */
/** @typedef {{ sx: number, sy: number, ox: number, oy: number }} Frame scale and offset of positions */
/** @typedef {{ box: Box, home: Box }} Framed */
/** @typedef {ArrayLike<number>} Positions x and y of one row after the other, 16 bits each */
/** @typedef {{ size: number, strength: number }} Dot */

export const MOST_ZOOM = 400;
export const LEAST_ZOOM = 0.01;
export const STEPS = 65535;

/** @returns {View} */
export function homeView() {
  return { x: 0, y: 0, zoom: 1 };
}

/**
 * Scale and offset from 0…1 within the box to unit coordinates, for a plot of that size.
 * @param {Framed} pane
 * @param {Size} plot
 * @returns {Frame}
 */
export function unitFrame(pane, plot) {
  const [bx0, by0, bx1, by1] = pane.box;
  const [x0, y0, x1, y1] = pane.home;
  const side = Math.min(plot.width, plot.height);
  const scale = Math.min(plot.width / (x1 - x0), plot.height / (y1 - y0)) / side;
  return {
    sx: (bx1 - bx0) * scale,
    sy: (by1 - by0) * scale,
    ox: (bx0 - (x0 + x1) / 2) * scale,
    oy: (by0 - (y0 + y1) / 2) * scale,
  };
}

/**
 * Scale and offset from 16-bit positions to pixels of the grid, y downwards.
 * @param {Framed} pane
 * @param {Plot} plot
 * @param {View} view
 * @returns {Frame}
 */
export function pixelFrame(pane, plot, view) {
  const unit = unitFrame(pane, plot);
  const scale = Math.min(plot.width, plot.height) * view.zoom;
  return {
    sx: (unit.sx * scale) / STEPS,
    sy: (-unit.sy * scale) / STEPS,
    ox: plot.left + plot.width / 2 + (unit.ox - view.x) * scale,
    oy: plot.top + plot.height / 2 - (unit.oy - view.y) * scale,
  };
}

/**
 * Pixel of a row in the grid.
 * @param {Positions} positions
 * @param {number} row
 * @param {Frame} frame
 * @returns {Point}
 */
export function pixelOf(positions, row, frame) {
  return {
    x: positions[2 * row] * frame.sx + frame.ox,
    y: positions[2 * row + 1] * frame.sy + frame.oy,
  };
}

/**
 * The view after a drag by that many pixels.
 * @param {View} view
 * @param {Size} plot
 * @param {number} dx
 * @param {number} dy
 * @returns {View}
 */
export function panned(view, plot, dx, dy) {
  const scale = Math.min(plot.width, plot.height) * view.zoom;
  return { ...view, x: view.x - dx / scale, y: view.y + dy / scale };
}

/**
 * The view after zooming by a factor about a pixel of the grid, which keeps its place.
 * @param {View} view
 * @param {Plot} plot
 * @param {number} factor
 * @param {number} x
 * @param {number} y
 * @returns {View}
 */
export function zoomed(view, plot, factor, x, y) {
  const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, view.zoom * factor));
  const side = Math.min(plot.width, plot.height);
  const dx = (x - plot.left - plot.width / 2) / side;
  const dy = (plot.top + plot.height / 2 - y) / side;
  const shift = 1 / view.zoom - 1 / zoom;
  return { x: view.x + dx * shift, y: view.y + dy * shift, zoom };
}

/**
 * The view moved just so far that a pixel of the grid comes well inside the plot.
 * @param {View} view
 * @param {Plot} plot
 * @param {number} x
 * @param {number} y
 * @returns {View}
 */
export function broughtInside(view, plot, x, y) {
  const margin = 24;
  /** @type {(value: number, low: number, high: number) => number} */
  const over = (value, low, high) => Math.min(0, value - low - margin) + Math.max(0, value - high + margin);
  const dx = over(x, plot.left, plot.left + plot.width);
  const dy = over(y, plot.top, plot.top + plot.height);
  return dx || dy ? panned(view, plot, -dx, -dy) : view;
}

/**
 * @param {Plot} plot
 * @param {number} x
 * @param {number} y
 */
export function inside(plot, x, y) {
  return x >= plot.left && y >= plot.top && x <= plot.left + plot.width && y <= plot.top + plot.height;
}

const CROWDED = 0.3; // points for each pixel of a plot, from which on dots are smaller and let others through
const CLEAR = 0.6;
const FAINTEST = 0.08;

/**
 * Pixels of a dot, and its share of a color's strength: where very many share a plot, they show how dense they are.
 * @param {number} n
 * @param {Size} plot
 * @param {{ zoom: number }} view
 * @returns {Dot}
 */
export function dotOf(n, { width, height }, { zoom }) {
  const crowd = n / (width * height * zoom ** 2);
  const usual = n < 3000 ? 7 : n < 8000 ? 5.5 : n < 30000 ? 4 : 2.6;
  const size = usual * Math.min(2.4, Math.max(0.8, zoom ** 0.35));
  if (crowd <= CROWDED || n < 30000) return { size, strength: 1 };
  return { size: Math.max(1, size * Math.sqrt(CROWDED / crowd)), strength: Math.max(FAINTEST, Math.min(1, CLEAR / crowd)) };
}

const MANY_RAISED = 0.05; // share of the rows
const CLEARER = 3;

/**
 * The same of dots that are raised above others: larger and opaque, unless they are a crowd themselves.
 * @param {Dot} dot
 * @param {number} count
 * @param {number} n
 * @returns {Dot}
 */
export function raisedOf(dot, count, n) {
  if (dot.strength === 1 || count < MANY_RAISED * n) return { size: 1.4 * dot.size + 1, strength: 1 };
  return { size: dot.size, strength: Math.min(1, CLEARER * dot.strength) };
}

const STAR_SIZE = 17;
const LEAST_STAR = 13;
const MANY_STARS = 60;
const WIDE = 320;

/**
 * Pixels of a star: of many, and on a small pane, stars are smaller, so that they do not hide the points.
 * @param {number} many
 * @param {Size} plot
 */
export function starSize(many, { width, height }) {
  const scale = Math.min(1, Math.sqrt(width * height) / WIDE);
  return Math.max(LEAST_STAR * scale, STAR_SIZE * Math.min(1, scale * Math.sqrt(MANY_STARS / Math.max(1, many))));
}
