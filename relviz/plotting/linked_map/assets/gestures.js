// What a person does in a plot: move, zoom, pinch, point, click, draw a box or a lasso, walk with the keys.

import { boxPolygon } from "./picking.js";
/** @import { Acts, Mode } from "./acts.js" */
/** @import { Point } from "./geometry.js" */

/** @typedef {{ mode: Mode, start: Point, last: Point, far: boolean, polygon: number[] }} Drag */

const STILL = 4;
const LASSO_STEP = 3;
/** @type {Record<string, Point>} */
const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Tie a plot to what gestures do; `acts` takes what happened in pixels of the grid.
 * @param {HTMLElement} plot
 * @param {number} pane
 * @param {Acts} acts
 */
export function listen(plot, pane, acts) {
  /** @type {Map<number, Point>} */
  const fingers = new Map();
  /** @type {Drag | undefined} */
  let drag;
  /** @param {MouseEvent} event */
  const at = (event) => {
    const grid = acts.picture.grid.getBoundingClientRect();
    return { x: event.clientX - grid.left, y: event.clientY - grid.top };
  };
  const stopOutline = () => {
    if (drag?.mode === "orbit") acts.rest();
    plot.classList.remove("dragging");
    acts.outline(pane, undefined);
  };
  plot.onpointerdown = (event) => {
    if (event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    const here = at(event);
    fingers.set(event.pointerId, here);
    if (fingers.size > 1) {
      stopOutline();
      drag = undefined; // a second finger: what the first one began was no selection
      return;
    }
    const moves = acts.mode === "pan" || acts.mode === "orbit";
    const mode = moves && event.shiftKey ? "box" : acts.mode;
    drag = { mode, start: here, last: here, far: false, polygon: [] };
  };
  plot.onpointermove = (event) => {
    const here = at(event);
    if (!fingers.has(event.pointerId)) return acts.pointAt(pane, here);
    const before = [...fingers.values()];
    fingers.set(event.pointerId, here);
    if (before.length === 2) return pinch(acts, pane, before, [...fingers.values()]);
    if (!drag) return undefined;
    drag.far ||= Math.hypot(here.x - drag.start.x, here.y - drag.start.y) > STILL;
    if (!drag.far) return undefined;
    if (event.pointerType === "touch") acts.pointAt(pane, undefined);
    if (drag.mode === "pan" || drag.mode === "orbit") {
      plot.classList.add("dragging");
      const [dx, dy] = [here.x - drag.last.x, here.y - drag.last.y];
      if (drag.mode === "pan") acts.pan(pane, dx, dy);
      else acts.orbit(dx, dy);
    } else if (drag.mode === "box") {
      drag.polygon = boxPolygon(drag.start, here);
      acts.outline(pane, drag.polygon);
    } else {
      extend(drag.polygon, drag.start, here);
      acts.outline(pane, drag.polygon);
    }
    drag.last = here;
    return undefined;
  };
  /** @param {PointerEvent} event */
  const finish = (event) => {
    fingers.delete(event.pointerId);
    if (!drag) {
      const [left] = fingers.values();
      if (fingers.size === 1) drag = { mode: "pan", start: left, last: left, far: true, polygon: [] };
      return;
    }
    const { far, mode, polygon } = drag;
    stopOutline();
    drag = undefined;
    if (event.type === "pointercancel") return;
    if (far && mode !== "pan" && mode !== "orbit") acts.selectWithin(pane, polygon, event.shiftKey);
    if (far) return;
    acts.click(pane, at(event), event.shiftKey);
    if (event.pointerType === "touch") acts.pointAt(pane, at(event)); // a finger cannot hover
  };
  plot.onpointerup = finish;
  plot.onpointercancel = finish;
  plot.onpointerleave = (event) => {
    if (!drag && event.pointerType !== "touch") acts.pointAt(pane, undefined);
  };
  plot.ondblclick = () => acts.home(pane);
  plot.onwheel = (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const { x, y } = at(event);
    acts.zoom(pane, Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0022), x, y);
  };
  plot.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (ARROWS[event.key] && event.shiftKey && acts.deep) acts.orbitStep(ARROWS[event.key]);
    else if (ARROWS[event.key]) acts.step(pane, ARROWS[event.key]);
    else if (event.key === "Enter" || event.key === " ") acts.selectPointed(event.shiftKey);
    else if (event.key === "+" || event.key === "=") acts.zoomMiddle(pane, 1.4);
    else if (event.key === "-") acts.zoomMiddle(pane, 1 / 1.4);
    else if (event.key === "0") acts.home(pane);
    else return;
    event.preventDefault();
  };
}

/**
 * Two fingers: what lies between them follows them, and is as large as they are apart.
 * @param {Acts} acts
 * @param {number} pane
 * @param {Point[]} before
 * @param {Point[]} now
 */
function pinch(acts, pane, [a, b], [c, d]) {
  const middle = { x: (c.x + d.x) / 2, y: (c.y + d.y) / 2 };
  const apart = Math.hypot(b.x - a.x, b.y - a.y);
  acts.pan(pane, middle.x - (a.x + b.x) / 2, middle.y - (a.y + b.y) / 2);
  if (apart > 0) acts.zoom(pane, Math.hypot(d.x - c.x, d.y - c.y) / apart, middle.x, middle.y);
}

/**
 * @param {number[]} polygon
 * @param {Point} start
 * @param {Point} here
 */
function extend(polygon, start, here) {
  if (!polygon.length) polygon.push(start.x, start.y);
  const [x, y] = polygon.slice(-2);
  if (Math.hypot(here.x - x, here.y - y) >= LASSO_STEP) polygon.push(here.x, here.y);
}
