import assert from "node:assert/strict";
import { test } from "node:test";

import { homeView, pixelFrame, STEPS, zoomed } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { isAsOpened, seen } from "../../relviz/plotting/linked_map/assets/seen.js";

const pane = { box: [0, 0, 10, 20], home: [0, 0, 10, 20], positions: new Uint16Array([0, 0, STEPS, STEPS]) };
const plot = { left: 5, top: 7, width: 100, height: 200 };

function map(view, hidden = []) {
  const picture = { measured: () => [plot], placed: () => ({ frame: pixelFrame(pane, plot, view) }) };
  return { payload: { panes: [pane], colors: { kind: "class", names: ["b", "c", "a"] } }, hiddenNames: new Set(hidden), views: { all: [view] }, picture };
}

test("a pane that was not moved has no window, and hidden classes are in order", () => {
  assert.deepEqual(seen(map(homeView(), ["b", "a"])), { hidden: ["a", "b"], turned: false, windows: [null], side: null });
});

test("zoomed about its middle, a pane shows the middle half", () => {
  const view = zoomed(homeView(), plot, 2, plot.left + plot.width / 2, plot.top + plot.height / 2);
  const [window] = seen(map(view)).windows;
  [2.5, 7.5, 5, 15].forEach((value, at) => assert.ok(Math.abs(window[at] - value) < 1e-9));
});

test("turned maps are said to be turned, with windows in their axes", () => {
  const shown = map(zoomed(homeView(), plot, 2, plot.left + plot.width / 2, plot.top + plot.height / 2));
  shown.payload.panes = [{ ...pane, turned: true }];
  const { turned, windows } = seen(shown);
  assert.equal(turned, true);
  assert.ok(Math.abs(windows[0][0] - 2.5) < 1e-9);
});

test("points in space are said to be seen from a side, and have no window", () => {
  const shown = map(zoomed(homeView(), plot, 2, plot.left, plot.top));
  shown.payload.panes = [{ ...pane, space: new Uint16Array(3) }];
  shown.side = { yaw: 0.5, pitch: -0.25 };
  assert.deepEqual([seen(shown).side, seen(shown).windows], [[0.5, -0.25], [null]]);
});

test("a map that is turned, zoomed, seen from a side or hides a class is not as it opened", () => {
  const opened = { hidden: [], turned: false, windows: [null], side: null };
  assert.ok(isAsOpened(opened));
  assert.ok(isAsOpened({ ...opened, side: [0, 0] }));
  for (const moved of [{ hidden: ["a"] }, { turned: true }, { windows: [[0, 1, 0, 1]] }, { side: [0, 0.1] }])
    assert.ok(!isAsOpened({ ...opened, ...moved }));
});

test("classes that color nothing now are not hidden", () => {
  const shown = map(homeView(), ["a", "gone"]);
  assert.deepEqual(seen(shown).hidden, ["a"]);
  shown.payload.colors = { kind: "number", title: "agreement" };
  assert.deepEqual(seen(shown).hidden, []);
});
