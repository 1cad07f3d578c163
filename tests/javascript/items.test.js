// Pictures and texts of items: apart from one another, from stars and from what was placed before; chosen rows first.

import assert from "node:assert/strict";
import { test } from "node:test";

import { DOT, STAR } from "../../relviz/plotting/linked_map/assets/coloring.js";
import { homeView, pixelFrame, pixelOf, unitFrame } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { itemAt, Items, marksOf, PICTURES, shortened, sideOf, TEXTS } from "../../relviz/plotting/linked_map/assets/items.js";
import { Taken } from "../../relviz/plotting/linked_map/assets/placing.js";
import { Selection } from "../../relviz/plotting/linked_map/assets/selection.js";
import { forSeeds, places } from "./seeded.js";

const PLOT = { left: 10, top: 20, width: 300, height: 200 };
const BOX = { box: [0, 0, 1, 1], home: [0, 0, 1, 1] };
const CONTEXT = { measureText: (text) => ({ width: 6 * text.length }) };

function paneOf(positions, view = homeView()) {
  return {
    positions,
    plot: PLOT,
    view,
    frame: pixelFrame(BOX, PLOT, view),
    to: { digest: "pane", frame: unitFrame(BOX, PLOT) },
  };
}

function sceneOf(n, chosen = [], stars = [], hidden = []) {
  const selection = new Selection(n);
  selection.choose(chosen, false);
  const shape = Uint8Array.from({ length: n }, (_, row) => (stars.includes(row) ? STAR : DOT));
  const gone = Uint8Array.from({ length: n }, (_, row) => Number(hidden.includes(row)));
  const order = [...shape.keys()].filter((row) => !gone[row]).sort((a, b) => shape[a] - shape[b]);
  const texts = { sprite: {}, url: "texts", atHand: () => true, get: (row) => ({ item: `item number ${row}` }) };
  return { texts, selection, looks: { hidden: gone, shape, order } };
}

function shown(kind, pane, scene) {
  const items = new Items();
  items.take(kind, "");
  const taken = new Taken();
  return kind === PICTURES ? items.pictures(pane, scene, taken) : items.labels(CONTEXT, pane, scene, taken);
}

const boxOf = ({ x, y, side, left, right }) =>
  side ? [x - side / 2, y - side / 2, x + side / 2, y + side / 2] : [left, y - 7, right, y + 7];
const crosses = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

test("pictures and texts lie apart, whatever the zoom, and chosen rows are among them", () => {
  forSeeds(10, (random) => {
    const positions = places(random, 300);
    for (const kind of [PICTURES, TEXTS]) {
      for (const zoom of [0.4, 1, 5]) {
        const view = { x: 0.1, y: 0, zoom };
        const pane = paneOf(positions, view);
        const [plain, chosen] = [[], [299]].map((rows) => shown(kind, pane, sceneOf(300, rows)));
        for (const boxes of [plain, chosen].map((found) => found.map(boxOf))) {
          boxes.forEach((box, i) => assert.ok(!boxes.slice(0, i).some((other) => crosses(box, other))));
        }
        assert.ok(plain.length > 2);
        const { x, y } = pixelOf(positions, 299, pane.frame);
        const seen = x >= PLOT.left && y >= PLOT.top && x <= PLOT.left + PLOT.width && y <= PLOT.top + PLOT.height;
        assert.equal(chosen[0].row === 299, seen);
      }
    }
  });
});

test("of very many rows some in sight show themselves, apart from one another, and more of a part as one zooms in", () => {
  forSeeds(2, (random) => {
    const positions = places(random, 60_000);
    const scene = sceneOf(60_000);
    const [far, near] = [1, 1.5].map((zoom) => shown(PICTURES, paneOf(positions, { x: 0, y: 0, zoom }), scene));
    const boxes = near.map(boxOf);
    boxes.forEach((box, i) => assert.ok(!boxes.slice(0, i).some((other) => crosses(box, other))));
    assert.ok(near.length > 20 && near.some(({ row }) => row > 50_000));
    const part = far.filter(({ x, y }) => Math.abs(x - 160) < 100 && Math.abs(y - 120) < 66);
    assert.ok(near.length > 1.3 * part.length, `${near.length} after ${part.length}`);
  });
});

test("stars are not covered, hidden rows are not shown", () => {
  const positions = Uint16Array.of(30000, 30000, 30100, 30000, 5000, 5000, 60000, 60000);
  const found = shown(PICTURES, paneOf(positions), sceneOf(4, [], [0], [2]));
  assert.deepEqual(found.map(({ row }) => row), [3]);
});

test("a text that the right border cuts stands on the left of its point", () => {
  const positions = Uint16Array.of(60000, 30000, 20000, 60000);
  const pane = paneOf(positions);
  const [cut, free] = shown(TEXTS, pane, sceneOf(2));
  assert.ok(cut.right < pixelOf(positions, 0, pane.frame).x);
  assert.ok(free.left > pixelOf(positions, 1, pane.frame).x);
});

test("what lies under a pixel is found by its picture or its text", () => {
  const items = [{ row: 4, x: 50, y: 50, side: 20 }, { row: 6, left: 100, right: 140, y: 50 }];
  assert.deepEqual([[41, 59], [39, 50], [120, 55], [120, 60]].map(([x, y]) => itemAt(items, x, y)), [4, -1, 6, -1]);
});

test("marks are those that can be had", () => {
  assert.deepEqual(marksOf({ sprite: null, texts: null }), ["dots"]);
  assert.deepEqual(marksOf({ sprite: {}, texts: {} }), ["dots", "pictures", "texts"]);
});

test("pictures grow, but never faster than the map; long texts are cut between characters", () => {
  for (let zoom = 0.02; zoom < 300; zoom *= 1.3) {
    assert.ok(sideOf(1.3 * zoom) >= sideOf(zoom));
    assert.ok(sideOf(1.3 * zoom) / (1.3 * zoom) < sideOf(zoom) / zoom);
  }
  assert.equal(shortened("a 👩‍🚀 in space", 3), "a…");
  assert.equal(shortened("short", 5), "short");
});
