// Embedding Atlas' view, twice: the page links them, and shows what a lasso goes round by graying the other rows.

import { EmbeddingView } from "./node_modules/embedding-atlas/dist/component.js";

import { markInPolygon } from "./picking.js";
import { columns, frames, SIDE } from "./columns.js";

const COLORS = [...window.palette, "#dddddd"];
const GRAY = COLORS.length - 1;
const AS_IT_IS = { sx: 1, sy: 1, ox: 0, oy: 0 };
const FINE = 10_000; // rows of the polygon's coordinates are looked up by whole numbers

const targets = frames("div");
let [views, points, lasso] = [[], undefined, undefined];

function show(category) {
  const size = { width: SIDE, height: SIDE, categoryColors: COLORS, config: { mode: "points", autoLabelEnabled: false } };
  points.panes.forEach(({ x, y }, i) => {
    const data = { x, y, category };
    if (views[i]) return views[i].update({ data });
    views[i] = new EmbeddingView(targets[i], {
      data,
      ...size,
      onViewportState: (viewportState) => views.forEach((view) => view.update({ viewportState })),
      onRangeSelection: (polygon) => {
        lasso = polygon && { polygon, pane: i };
      },
    });
    return undefined;
  });
}

function mark() {
  if (!lasso) return;
  const { x, y } = points.panes[lasso.pane];
  const places = new Float32Array(2 * x.length);
  for (let row = 0; row < x.length; row++) [places[2 * row], places[2 * row + 1]] = [FINE * x[row], FINE * y[row]];
  const marks = new Uint8Array(x.length);
  const corners = lasso.polygon.flatMap((corner) => [FINE * corner.x, FINE * corner.y]);
  markInPolygon(places, new Uint8Array(x.length), AS_IT_IS, corners, marks);
  show(points.category.map((code, row) => (marks[row] ? code : GRAY)));
}

window.draw = async (n) => {
  points = await columns(n);
  show(points.category);
};
window.mode = (name) => {
  const pressed = name === "lasso";
  for (const target of targets) {
    const button = target.querySelector('button[title^="Toggle lasso"]');
    if (pressed) button.click();
  }
};
window.addEventListener("pointerup", () => setTimeout(mark));
window.ready = true;
