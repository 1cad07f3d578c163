// Points in space: a rotation keeps lengths, the front is the plane of the first two axes, what is near is drawn last.

import assert from "node:assert/strict";
import { test } from "node:test";

import { STEPS } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { byDepth, FRONT, orbited, projected, rotation, stepped } from "../../relviz/plotting/linked_map/assets/orbit.js";
import { forSeeds, whole } from "./seeded.js";

const dot = (a, b) => a.reduce((sum, one, i) => sum + one * b[i], 0);
const close = (a, b, by = 1e-9) => assert.ok(Math.abs(a - b) < by, `${a} is not ${b}`);

/** Points of [-1, 1]³ as the map gets them. */
function paneOf(points, half = 1) {
  const reach = 2;
  const space = Uint16Array.from(points.flat(), (place) => Math.round(((place / reach + 1) / 2) * STEPS));
  return { space, reach, half, digest: "pane" };
}

/** Where a row lies, in units of the data. */
function placed({ positions, box: [x0, y0, x1, y1] }, row) {
  const across = (at, low, high) => low + (at / STEPS) * (high - low);
  return [across(positions[2 * row], x0, x1), across(positions[2 * row + 1], y0, y1)];
}

test("a rotation is orthogonal and mirrors nothing, and the front is no rotation", () => {
  forSeeds(20, (random) => {
    const [a, b, c] = rotation({ yaw: 7 * random(), pitch: 3 * random() - 1.5 });
    for (const axis of [a, b, c]) close(dot(axis, axis), 1);
    for (const [one, other] of [[a, b], [a, c], [b, c]]) close(dot(one, other), 0);
    close(dot(a, [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]), 1);
  });
  rotation(FRONT).forEach((axis, i) => axis.forEach((value, j) => close(value, Number(i === j))));
});

test("seen from the front, points without depth are where they are in the plane", () => {
  const points = [[0.5, -0.25, 0], [-1, 1, 0], [0, 0, 0]];
  const pane = projected(paneOf(points), FRONT);
  points.forEach(([x, y], row) => {
    const [right, up] = placed(pane, row);
    close(right, x, 1e-3);
    close(up, y, 1e-3);
  });
  assert.deepEqual(pane.home, [-1, -1, 1, 1]);
});

test("what is near is larger, and has the greater depth", () => {
  const pane = projected(paneOf([[0.5, 0, 1], [0.5, 0, -1]]), FRONT);
  const [near, far] = [0, 1].map((row) => placed(pane, row)[0]);
  close(near, (0.5 * 5) / 4, 1e-3);
  close(far, (0.5 * 5) / 6, 1e-3);
  assert.ok(pane.depths[0] > pane.depths[1]);
});

test("a quarter turn brings the third axis to the right; another side has another digest", () => {
  const side = { yaw: Math.PI / 2, pitch: 0 };
  const pane = projected(paneOf([[0, 0, 0.5], [0, 0.5, 0]]), side);
  close(placed(pane, 0)[0], 0.5, 1e-3);
  close(placed(pane, 1)[1], 0.5, 1e-3);
  assert.notEqual(pane.digest, projected(paneOf([[0, 0, 0.5]]), FRONT).digest);
});

test("what is in front follows the hand, up stays up, and steps come round again", () => {
  const front = paneOf([[0, 0, 0.5]]);
  const [right, up] = placed(projected(front, orbited(FRONT, 30, 20)), 0);
  assert.ok(right > 0 && up < 0);
  assert.equal(orbited(FRONT, 0, 1e6).pitch, Math.PI / 2);
  let side = FRONT;
  for (let i = 0; i < 16; i++) side = stepped(side, { x: 1, y: 0 });
  close(Math.cos(side.yaw), 1);
});

test("a point behind the eye or far beyond stays finite and inside the box", () => {
  const pane = projected(paneOf([[1, 1, 2], [0, 0, -2]], 0.1), FRONT);
  for (const place of [0, 1].flatMap((row) => placed(pane, row))) assert.ok(Number.isFinite(place));
  assert.ok(Math.max(...pane.positions) <= STEPS);
});

test("rows are drawn from far to near, raised ones and stars after them as they were", () => {
  forSeeds(10, (random) => {
    const n = 200;
    const depths = Uint16Array.from({ length: n }, () => whole(random, 0, STEPS));
    const order = Uint32Array.from({ length: n }, (_, i) => n - 1 - i);
    const sorted = byDepth({ order, plain: 190 }, depths);
    assert.deepEqual([...sorted].sort((a, b) => a - b), [...order].sort((a, b) => a - b));
    assert.deepEqual([...sorted.subarray(190)], [...order.subarray(190)]);
    for (let i = 1; i < 190; i++) assert.ok(depths[sorted[i]] >> 7 >= depths[sorted[i - 1]] >> 7);
  });
});
