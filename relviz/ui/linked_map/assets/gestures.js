// What a person does in a plot: move, zoom, point, click, draw a box or a lasso, walk with the keys.

import { boxPolygon } from "./picking.js";

const STILL = 4;
const LASSO_STEP = 3;
const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Tie a plot to the map; `map` takes what happened in pixels of the grid. */
export function listen(plot, pane, map) {
  let drag;
  const at = (event) => {
    const grid = map.grid.getBoundingClientRect();
    return { x: event.clientX - grid.left, y: event.clientY - grid.top };
  };
  plot.onpointerdown = (event) => {
    if (event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    const mode = map.mode === "pan" && event.shiftKey ? "box" : map.mode;
    drag = { mode, start: at(event), last: at(event), far: false, polygon: [] };
  };
  plot.onpointermove = (event) => {
    const here = at(event);
    if (!drag) return map.pointAt(pane, here);
    drag.far ||= Math.hypot(here.x - drag.start.x, here.y - drag.start.y) > STILL;
    if (!drag.far) return undefined;
    if (drag.mode === "pan") {
      plot.classList.add("dragging");
      map.pan(pane, here.x - drag.last.x, here.y - drag.last.y);
    } else if (drag.mode === "box") {
      drag.polygon = boxPolygon(drag.start, here);
      map.outline(pane, drag.polygon);
    } else {
      extend(drag.polygon, drag.start, here);
      map.outline(pane, drag.polygon);
    }
    drag.last = here;
    return undefined;
  };
  const finish = (event) => {
    if (!drag) return;
    const { far, mode, polygon } = drag;
    drag = undefined;
    plot.classList.remove("dragging");
    map.outline(pane, undefined);
    if (event.type === "pointercancel") return;
    if (!far) map.click(pane, at(event), event.shiftKey);
    else if (mode !== "pan") map.selectWithin(pane, polygon, event.shiftKey);
  };
  plot.onpointerup = finish;
  plot.onpointercancel = finish;
  plot.onpointerleave = () => !drag && map.pointAt(pane, undefined);
  plot.ondblclick = () => map.home(pane);
  plot.onwheel = (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const { x, y } = at(event);
    map.zoom(pane, Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0022), x, y);
  };
  plot.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (ARROWS[event.key]) map.step(pane, ARROWS[event.key]);
    else if (event.key === "Enter" || event.key === " ") map.selectPointed(event.shiftKey);
    else if (event.key === "+" || event.key === "=") map.zoomMiddle(pane, 1.4);
    else if (event.key === "-") map.zoomMiddle(pane, 1 / 1.4);
    else if (event.key === "0") map.home(pane);
    else return;
    event.preventDefault();
  };
}

function extend(polygon, start, here) {
  if (!polygon.length) polygon.push(start.x, start.y);
  const [x, y] = polygon.slice(-2);
  if (Math.hypot(here.x - x, here.y - y) >= LASSO_STEP) polygon.push(here.x, here.y);
}
