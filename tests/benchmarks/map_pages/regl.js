// regl-scatterplot with two panes that move and select together, as jupyter-scatter links them.

import createScatterplot from "regl-scatterplot";

import { columns, frames, SIDE } from "./columns.js";

const LOOKS = { pointColor: window.palette, colorBy: "valueA", opacityBy: "density", performanceMode: true };
const plots = frames("canvas").map((canvas) => createScatterplot({ canvas, width: SIDE, height: SIDE, pointSize: 2, ...LOOKS }));

for (const [plot, other] of [plots, [plots[1], plots[0]]]) {
  plot.subscribe("view", ({ view }) => other.view(view, { preventEvent: true }));
  plot.subscribe("select", ({ points }) => other.select(points, { preventEvent: true }));
  plot.subscribe("deselect", () => other.deselect({ preventEvent: true }));
}

window.draw = async (n) => {
  const { panes, category } = await columns(n);
  await Promise.all(plots.map((plot, i) => plot.draw({ ...panes[i], z: category }, { zDataType: "categorical" })));
};
window.mode = (name) => plots.forEach((plot) => plot.set({ mouseMode: name === "lasso" ? "lasso" : "panZoom" }));
window.ready = true;
