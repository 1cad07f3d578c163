// What lies outside of a pane is counted where it lies, and the view that shows all shows all.

import assert from "node:assert/strict";
import { test } from "node:test";

import { beyond, wholeView } from "../../relviz/plotting/linked_map/assets/border.js";
import { pixelFrame, pixelOf, STEPS } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { forSeeds, places, whole } from "./seeded.js";

const PLOT = { left: 10, top: 20, width: 200, height: 100 };
const PIXELS = { sx: 1, sy: 1, ox: -1000, oy: -1000 };
const at = (...pixels) => Uint16Array.from(pixels, (pixel) => pixel + 1000);

test("rows inside are not marked, rows outside are, with their side", () => {
  const positions = at(50, 50, 0, 60, 2, 62, 300, 60, 100, 0, 100, 500);
  const marks = beyond(positions, new Uint8Array(6), PIXELS, PLOT);
  assert.deepEqual(marks, [
    { side: "left", along: 41, count: 2 },
    { side: "right", along: 40, count: 1 },
    { side: "top", along: 90, count: 1 },
    { side: "bottom", along: 90, count: 1 },
  ]);
});

test("hidden rows are not counted, and far apart marks are two", () => {
  const positions = at(30, 0, 190, 0, 190, 0);
  const marks = beyond(positions, Uint8Array.of(0, 0, 1), PIXELS, PLOT);
  assert.deepEqual(marks.map(({ count }) => count), [1, 1]);
});

test("the whole view has every point of every pane in its plot", () => {
  forSeeds(30, (random) => {
    const size = () => whole(random, 60, 600);
    const panes = Array.from({ length: 2 }, () => ({
      box: [-random() * 50, -random() * 9, random() * 50 + 1, random() * 9 + 1],
      home: [-1, -1, 1, 1],
      positions: places(random, 20),
    }));
    const plots = panes.map(() => ({ left: 5, top: 7, width: size(), height: size() }));
    const view = wholeView(panes, plots);
    panes.forEach((pane, i) => {
      const frame = pixelFrame(pane, plots[i], view);
      pane.positions.set([0, 0, STEPS, STEPS]);
      assert.deepEqual(beyond(pane.positions, new Uint8Array(20), frame, plots[i]), []);
      assert.ok(pixelOf(pane.positions, 1, frame).x <= plots[i].left + plots[i].width);
    });
  });
});
