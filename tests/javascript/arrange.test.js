// Panes laid out otherwise: turned points are where the matrix puts them, and nothing else changes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arranged, arrangements } from "../../relviz/plotting/linked_map/assets/arrange.js";
import { STEPS } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { forSeeds, places, whole } from "./seeded.js";

const PLAIN = { own_home: null, turn: null };
const OFF = { centered: false, turned: false };

function pane(more) {
  return { caption: "PCA", digest: "p", box: [0, 0, 1, 1], home: [0, 0, 1, 1], positions: Uint16Array.of(0, 0), ...PLAIN, ...more };
}

test("what can be asked depends on the panes", () => {
  assert.deepEqual(arrangements({ panes: [pane()] }), OFF);
  assert.deepEqual(arrangements({ panes: [pane(), pane({ own_home: [0, 0, 2, 2] })] }), { centered: true, turned: false });
  assert.deepEqual(arrangements({ panes: [pane({ turn: {} })] }), { centered: false, turned: true });
});

test("as they were fitted they stay", () => {
  const panes = [pane({ own_home: [0, 0, 2, 2] }), pane()];
  assert.deepEqual(arranged({ digest: "d", panes }, OFF).panes, panes);
});

test("a centered pane opens on its own points, and says so", () => {
  const payload = { digest: "d", panes: [pane({ own_home: [4, 5, 6, 7] }), pane()] };
  const [first, second] = arranged(payload, { centered: true, turned: true }).panes;
  assert.deepEqual(first.home, [4, 5, 6, 7]);
  assert.match(first.caption, /^PCA · centered/);
  assert.notEqual(first.digest, "p");
  assert.equal(second, payload.panes[1]);
});

test("turned points lie where the matrix puts them, to a step of their box", () => {
  forSeeds(20, (random) => {
    const n = whole(random, 1, 30);
    const [angle, mirror] = [random() * 6.3, random() < 0.5 ? -1 : 1];
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const [a, b, c, d] = [cos, sin, -sin * mirror, cos * mirror];
    const box = [-3, 2, 5, 4];
    const one = pane({ box, positions: places(random, n), turn: { matrix: [a, b, c, d], home: [0, 0, 9, 9], words: "turned" } });
    const made = arranged({ digest: "d", panes: [one] }, { centered: false, turned: true }).panes[0];
    const [left, low, right, high] = made.box;
    for (let row = 0; row < n; row++) {
      const x = box[0] + (one.positions[2 * row] / STEPS) * (box[2] - box[0]);
      const y = box[1] + (one.positions[2 * row + 1] / STEPS) * (box[3] - box[1]);
      const at = [left + (made.positions[2 * row] / STEPS) * (right - left), low + (made.positions[2 * row + 1] / STEPS) * (high - low)];
      assert.ok(Math.abs(at[0] - (x * a + y * c)) < 2e-4);
      assert.ok(Math.abs(at[1] - (x * b + y * d)) < 2e-4);
    }
    assert.deepEqual(made.home, [0, 0, 9, 9]);
    assert.match(made.caption, /turned$/);
  });
});
