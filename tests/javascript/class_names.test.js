// Names of classes stand at the median of their points, apart from one another; scattered classes have none.

import assert from "node:assert/strict";
import { test } from "node:test";

import { centersOf, namesIn } from "../../relviz/plotting/linked_map/assets/class_names.js";
import { homeView, pixelFrame, unitFrame } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { Taken } from "../../relviz/plotting/linked_map/assets/placing.js";
import { forSeeds } from "./seeded.js";

const PLOT = { left: 0, top: 0, width: 400, height: 400 };
const BOX = { box: [0, 0, 1, 1], home: [0, 0, 1, 1] };
const CONTEXT = { measureText: (text) => ({ width: 7 * text.length }) };

function paneOf(positions, view = homeView()) {
  return { positions, plot: PLOT, frame: pixelFrame(BOX, PLOT, view), to: { frame: unitFrame(BOX, PLOT) } };
}

function payloadOf(codes, names) {
  const palette = names.map((name) => (name.endsWith("other classes") ? "#B0B0B0" : "#123456"));
  return { codes, colors: { kind: "class", names, palette, missing: "#B0B0B0" } };
}

/** Two clouds, larger class first, and rows of a third class all over. */
function clouds() {
  const [positions, codes] = [[], []];
  for (let i = 0; i < 90; i++) {
    const code = i % 6 < 3 ? 0 : i % 6 < 5 ? 1 : 2;
    const [x, y] = [[9000, 20000], [50000, 50000], [(i * 7919) % 65536, (i * 104729) % 65536]][code];
    codes.push(code);
    positions.push(x + (code < 2 ? 10 * (i % 5) : 0), y + (code < 2 ? i : 0));
  }
  positions[0] = 65535; // one that is far off moves no median
  return { pane: paneOf(Uint16Array.from(positions)), payload: payloadOf(Uint8Array.from(codes), ["left", "right", "all over"]) };
}

test("classes that lie together have a center, the median; others and the rest have none", () => {
  const { pane, payload } = clouds();
  const centers = centersOf(pane, payload);
  assert.deepEqual(centers.map(({ name, count }) => [name, count]), [["left", 45], ["right", 30]]);
  assert.ok(Math.abs(centers[0].positions[0] - 9020) <= 20);
  const rest = payloadOf(payload.codes, ["left", "3 other classes", "all over"]);
  assert.deepEqual(centersOf(pane, rest).map(({ name }) => name), ["left"]);
});

test("the name of a hidden class is hidden, numbers have no names", () => {
  const { pane, payload } = clouds();
  const texts = (hidden, kind = "class") =>
    namesIn(CONTEXT, pane, { payload: { ...payload, colors: { ...payload.colors, kind } }, hiddenNames: new Set(hidden) }, new Taken())
      .map(({ text }) => text);
  assert.deepEqual(texts([]), ["left", "right"]);
  assert.deepEqual(texts(["left"]), ["right"]);
  assert.deepEqual(texts([], "number"), []);
});

test("names lie apart and inside, the larger first; more come as one zooms in", () => {
  forSeeds(10, (random) => {
    const names = Array.from({ length: 30 }, (_, i) => `class ${i}`);
    const middles = names.map(() => [20000 + 25000 * random(), 20000 + 25000 * random()]);
    const [codes, positions] = [[], []];
    names.forEach((_, code) => {
      for (let i = 0; i < 40 - code; i++) {
        codes.push(code);
        positions.push(...middles[code].map((place) => place + 800 * random()));
      }
    });
    const payload = payloadOf(Uint8Array.from(codes), names);
    const seen = (view) =>
      namesIn(CONTEXT, paneOf(Uint16Array.from(positions), view), { payload, hiddenNames: new Set() }, new Taken());
    const home = seen(homeView());
    const boxes = home.map(({ left, right, y }) => [left, y - 8, right, y + 8]);
    boxes.forEach(([left, top, right, bottom], i) => {
      assert.ok(left >= 0 && top >= 0 && right <= 400 && bottom <= 400);
      assert.ok(!boxes.slice(0, i).some((other) => left < other[2] && right > other[0] && top < other[3] && bottom > other[1]));
    });
    assert.ok(home.length <= 20);
    assert.equal(home[0].text, "class 0");
    const zoomed = [0, 1, 2, 3].flatMap((part) =>
      seen({ x: part % 2 ? 0.1 : -0.1, y: part < 2 ? 0.1 : -0.1, zoom: 5 }).map(({ text }) => text));
    assert.ok(new Set(zoomed).size > home.length);
  });
});
