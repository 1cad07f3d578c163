// Lines of equal density: where they run is known for simple densities.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawDensity } from "../../relviz/plotting/linked_map/assets/density.js";
import { pixelFrame } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { canvas, withCanvases } from "./canvas.js";

const SIDE = 32;
const THEME = { ink: [0, 0, 0], inkCss: "black" };
const made = withCanvases();

function draw(density, theme = THEME) {
  const over = canvas(400, 300);
  const plot = { left: 10, top: 20, width: 200, height: 200 };
  const pane = { box: [-2, -2, 2, 2], home: [-1, -1, 1, 1] };
  const frame = pixelFrame(pane, plot, { x: 0, y: 0, zoom: 1 });
  drawDensity(over.context, { ratio: 1, panes: [undefined, { density, frame, plot }], theme });
  return over;
}

/** Where a line is drawn, as cells of the finer grid. */
function lines(density, theme) {
  const before = made.length;
  draw(density, theme);
  const [image] = made.slice(before);
  const { data } = image.put[0].image;
  const side = image.width;
  return Array.from({ length: side * side }, (_, i) => i).filter((i) => data[4 * i + 3] > 0)
    .map((i) => [i % side, Math.floor(i / side)]);
}

const cells = (value) => Uint8Array.from({ length: SIDE * SIDE }, (_, i) => value(i % SIDE, Math.floor(i / SIDE)));

test("where density is the same everywhere there are no lines", () => {
  assert.deepEqual(lines(cells(() => 0)), []);
  assert.deepEqual(lines(cells(() => 255)), []);
});

test("a slope from left to right has four upright lines, one for each level", () => {
  const found = lines(cells((x) => 8 * x));
  const columns = new Set(found.filter(([, y]) => y > 20 && y < 70).map(([x]) => x));
  // Density reaches 24, 64, 112, 168 at the middles of cells 3, 8, 14, 21; three finer cells are one.
  assert.deepEqual([...columns].sort((a, b) => a - b), [3, 8, 14, 21].map((cell) => 3 * cell));
});

test("round a hill the lines are closed, and lie as the hill does", () => {
  const hill = (x, y) => 255 * Math.exp(-((x - 10) ** 2 + (y - 20) ** 2) / 40);
  const found = lines(cells(hill));
  assert.ok(found.length > 40);
  const mean = (axis) => found.reduce((sum, place) => sum + place[axis], 0) / found.length;
  assert.ok(Math.abs(mean(0) - 3 * 10.5) < 1.5);
  assert.ok(Math.abs(mean(1) - 3 * 20.5) < 1.5);
});

test("the same density in the same ink is drawn once, in another ink anew", () => {
  const density = cells((x, y) => x * y / 4);
  const before = made.length;
  draw(density);
  draw(density);
  assert.equal(made.length, before + 1);
  draw(density, { ink: [1, 1, 1], inkCss: "white" });
  assert.equal(made.length, before + 2);
});

test("lines are laid over the whole box, within the plot", () => {
  const over = draw(cells((x) => 8 * x));
  const [, image, left, top, width, height] = over.calls.find(([name]) => name === "drawImage");
  assert.equal(image, made.at(-1));
  for (const [found, expected] of [[left, 10 - 100], [top, 20 - 100], [width, 400], [height, 400]]) {
    assert.ok(Math.abs(found - expected) < 1e-6);
  }
  assert.deepEqual(over.calls.find(([name]) => name === "rect").slice(1), [10, 20, 200, 200]);
});
