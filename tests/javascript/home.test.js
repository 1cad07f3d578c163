// Home's views: what Python sent, where pictures lie, which one is pointed at, what is said of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { between, decode, firstRelative, isAnchor, nearestSpot, nextSpot, panes, percent, spoken, spot } from "../../relviz/ui/home/assets/model.js";

/** Two views of three rows; row 2 is the anchor of the second. */
function told() {
  const about = { rows: 3, counts: [0, 1], found: [0, 0.5], queries: [3, 2], examples: [0, 1], names: ["cat", "dog", "é"] };
  const head = new TextEncoder().encode(JSON.stringify(about));
  const places = Array.from({ length: 24 }, (_, at) => (at % 2 ? 65535 : 0));
  const nearest = [1, 2, 0, 0, 0, 2];
  const body = new Uint8Array(Uint16Array.from([...places, ...nearest, 2]).buffer);
  const data = new Uint8Array(4 + head.length + body.length);
  new DataView(data.buffer).setUint32(0, head.length, true);
  data.set(head, 4);
  data.set(body, 4 + head.length);
  return data;
}

test("a message holds each view's places, what B finds, and the anchors", () => {
  const model = decode(told());
  assert.deepEqual(model.views.map(({ count }) => count), [0, 1]);
  assert.deepEqual([...model.views[1].nearest], [0, 0, 2]);
  assert.deepEqual([...model.views[0].places.subarray(0, 4)], [0, 1, 0, 1]);
  assert.equal(isAnchor(model, 0, 2), false);
  assert.equal(isAnchor(model, 1, 2), true);
});

test("a message is read wherever it lies in its buffer", () => {
  const data = told();
  const shifted = new Uint8Array(data.length + 3);
  shifted.set(data, 3);
  assert.deepEqual([...decode(shifted.subarray(3)).anchors], [2]);
});

test("300 anchors come first, else the most there are", () => {
  assert.equal(firstRelative({ counts: [0, 2, 300, 1000] }), 2);
  assert.equal(firstRelative({ counts: [0, 2, 20] }), 2);
});

test("shares are whole percent", () => {
  assert.deepEqual([0.001, 0.4851, 1].map(percent), ["0%", "49%", "100%"]);
});

test("places move from one view to the next, slowly at both ends", () => {
  const into = new Float32Array(1);
  const way = [0, 0.1, 0.5, 0.9, 1].map((t) => between([1], [3], t, into)[0]);
  assert.equal(way[0], 1);
  assert.equal(way[2], 2);
  assert.equal(way[4], 3);
  assert.ok(way[1] - 1 < 0.1 && 3 - way[3] < 0.1);
});

test("panes lie side by side, one above the other on a phone, and cover the stage", () => {
  assert.deepEqual(panes(1012, 500), [{ x: 0, y: 0, width: 500, height: 500 }, { x: 512, y: 0, width: 500, height: 500 }]);
  assert.deepEqual(panes(360, 512).map(({ y, height }) => [y, height]), [[0, 250], [262, 250]]);
});

test("every picture lies within its pane, up is up", () => {
  const pane = { x: 100, y: 50, width: 200, height: 300 };
  assert.deepEqual(spot(pane, [0, 0], 1, 0, 0, 10, 30), [110, 340]);
  assert.deepEqual(spot(pane, [1, 1], 1, 0, 0, 10, 30), [290, 80]);
  assert.deepEqual(spot(pane, [0, 0, 1, 1], 1, 1, 0, 10, 30), [290, 80]);
});

test("the nearest picture within reach is pointed at", () => {
  const spots = [0, 0, 10, 0, 30, 0];
  assert.equal(nearestSpot(spots, 8, 1, 18), 1);
  assert.equal(nearestSpot(spots, 200, 0, 18), -1);
});

test("an arrow goes to a picture ahead, and stays where there is none", () => {
  const spots = [0, 0, 10, 1, 5, 40, -8, 0];
  assert.equal(nextSpot(spots, 0, "ArrowRight"), 1);
  assert.equal(nextSpot(spots, 0, "ArrowLeft"), 3);
  assert.equal(nextSpot(spots, 0, "ArrowDown"), 2);
  assert.equal(nextSpot(spots, 3, "ArrowLeft"), 3);
});

test("what B finds is said in words", () => {
  const model = decode(told());
  assert.equal(spoken(model, 0, 0), "cat: through absolute coordinates, B finds dog.");
  assert.equal(spoken(model, 1, 0), "cat: through 1 anchors, B finds it.");
  assert.equal(spoken(model, 1, 2), "é, an anchor: through 1 anchors, B finds it.");
});
