// Rings and lines of single items, and the outline of a box or lasso. They change with every movement of
// the pointer, so they are elements: the browser paints what lies under them anew, and no more.

import { inside, pixelOf } from "./geometry.js";
/** @import { Plot, Point } from "./geometry.js" */
/** @import { DrawnPane } from "./picture.js" */

/** @typedef {{ plot: Plot, polygon: number[] }} Outline of a box or lasso */

const SVG = "http://www.w3.org/2000/svg";
const NEIGHBORS = [[0, 1], [2, 3], [0, 2], [1, 3]];

/**
 * Draw rings round some rows in every pane, joined by lines, and an outline if there is one.
 * @param {SVGElement} svg
 * @param {{ panes: (DrawnPane | null)[], rows: number[], size: number, shape?: Outline }} shown
 */
export function drawMarks(svg, { panes, rows, size, shape }) {
  const parts = rows.flatMap((row) => placesOf(panes, row, size / 2 + 4));
  if (shape) parts.push(part("polygon", "outline", { points: cornersOf(shape).join(" ") }));
  svg.replaceChildren(...parts);
}

/**
 * @param {(DrawnPane | null)[]} panes
 * @param {number} row
 * @param {number} radius
 */
function placesOf(panes, row, radius) {
  const places = panes.map((pane) => pane && { ...pixelOf(pane.positions, row, pane.frame), plot: pane.plot });
  const lines = NEIGHBORS.flatMap(([a, b]) => {
    const [one, other] = [places[a], places[b]];
    if (!one || !other) return [];
    const [from, to] = [clamped(one, one.plot), clamped(other, other.plot)];
    return [part("line", "join", { x1: from.x, y1: from.y, x2: to.x, y2: to.y })];
  });
  const rings = places.flatMap((place) => {
    if (!place || !inside(place.plot, place.x, place.y)) return [];
    return ["halo", "ring"].map((kind) => part("circle", kind, { cx: place.x, cy: place.y, r: radius }));
  });
  return [...lines, ...rings];
}

/** @param {Outline} outline */
function cornersOf({ plot, polygon }) {
  const corners = [];
  for (let i = 0; i < polygon.length; i += 2) {
    const { x, y } = clamped({ x: polygon[i], y: polygon[i + 1] }, plot);
    corners.push(`${x},${y}`);
  }
  return corners;
}

/**
 * @param {Point} point
 * @param {Plot} plot
 * @returns {Point}
 */
function clamped({ x, y }, plot) {
  return {
    x: Math.min(Math.max(x, plot.left), plot.left + plot.width),
    y: Math.min(Math.max(y, plot.top), plot.top + plot.height),
  };
}

/**
 * @param {"circle" | "line" | "polygon"} name
 * @param {string} kind
 * @param {Record<string, string | number>} attributes
 */
function part(name, kind, attributes) {
  const made = document.createElementNS(SVG, name);
  made.setAttribute("class", kind);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
