// The parts of stories that compute: poses, retrieval through anchors, moving controls, marked-up words.

import assert from "node:assert/strict";
import test from "node:test";

import { between } from "../../relviz/ui/learn/assets/controls.js";
import { parts } from "../../relviz/ui/learn/assets/dom.js";
import { wanted } from "../../relviz/ui/learn/assets/dictionary_picture.js";
import { cosines, mean, minus, posed, poseOf, rotation } from "../../relviz/ui/learn/assets/pose.js";
import { nearest, shareFound, unitColumns } from "../../relviz/ui/learn/assets/retrieval.js";
import { middles } from "../../relviz/ui/learn/assets/class_names.js";
import { cosine } from "../../relviz/ui/learn/assets/vector_picture.js";
import { forSeeds } from "./seeded.js";

const AXIS = [0.36, 0.8, 0.48];
const near = (found, expected, within = 1e-9) => assert.ok(Math.abs(found - expected) <= within, `${found} is not ${expected}`);
const places = (random, dimension) => Array.from({ length: 9 }, () => Array.from({ length: dimension }, () => 2 * random() - 1));

/** The largest change of a cosine to the first three places. */
function changed(space, moved) {
  const all = (rows) => rows.flatMap((row) => cosines(row, rows.slice(0, 3)));
  const [before, after] = [all(space), all(moved)];
  return Math.max(...before.map((value, at) => Math.abs(value - after[at])));
}

test("turning, mirroring and rescaling change no cosine, in two and three dimensions", () => {
  forSeeds(50, (random) => {
    for (const dimension of [2, 3]) {
      const space = places(random, dimension);
      const pose = poseOf({ turn: 360 * random() - 180, mirror: random() < 0.5 ? "on" : "off", scale: 30 + 90 * random() });
      near(changed(space, posed(space, pose, AXIS)), 0);
    }
  });
});

test("a shift changes cosines, and none once both are centered; a stretch changes them either way", () => {
  forSeeds(20, (random) => {
    const space = places(random, 2);
    const centered = (rows) => minus(rows, mean(rows));
    const shifted = posed(space, poseOf({ shift: 60 }), AXIS);
    assert.ok(changed(space, shifted) > 0.01);
    near(changed(centered(space), centered(shifted)), 0);
    const squeezed = posed(space, poseOf({ stretch: 30 }), AXIS);
    assert.ok(changed(space, squeezed) > 0.01);
    assert.ok(changed(centered(space), centered(squeezed)) > 0.01);
  });
});

test("the axis of a rotation stays where it is", () => {
  const turned = rotation(77, 3, AXIS).map((row) => row.reduce((sum, part, at) => sum + part * AXIS[at], 0));
  turned.forEach((part, at) => near(part, AXIS[at]));
});

test("chosen columns have rows of length one, and a row of zeros stays zero", () => {
  const matrix = Object.assign(Float32Array.of(3, 9, 4, 0, 9, 0), { shape: [2, 3] });
  assert.deepEqual([...unitColumns(matrix, [0, 2])].map((value) => Math.round(100 * value)), [60, 80, 0, 0]);
});

test("a query finds its counterpart where both have the same cosines, and nothing without anchors", () => {
  forSeeds(10, (random) => {
    const matrix = Object.assign(Float32Array.from({ length: 60 }, () => 2 * random() - 1), { shape: [15, 4] });
    const queries = Int32Array.from({ length: 15 }, (_, at) => at);
    assert.equal(shareFound(nearest(matrix, matrix, [0, 1, 2, 3]), queries), 1);
    assert.equal(shareFound(nearest(matrix, matrix, [0, 1, 2, 3, 0, 1, 2, 3]), queries), 1);
    assert.equal(shareFound(nearest(matrix, matrix, []), queries), 0);
  });
});

test("the sets of anchors are places among the candidates", () => {
  assert.deepEqual(wanted({ anchors: "3" }, 48), [0, 1, 2]);
  assert.equal(wanted({ set: "twice" }, 48).length, 24);
  assert.deepEqual(wanted({ set: "clocks" }, 48), [36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47]);
});

test("a control moves gradually where it can, and ends where it should", () => {
  const slider = { kind: "slider", stops: [], range: [0, 100, 5], after: "70" };
  assert.equal(between(slider, "0", 0.5), "35");
  assert.equal(between(slider, "0", 1), "70");
  const stops = { kind: "slider", stops: [["2", "2"], ["5", "5"], ["10", "10"]], after: "10" };
  assert.equal(between(stops, "2", 0.5), "5");
  const choice = { kind: "choice", stops: [["a", "a"], ["b", "b"]], after: "b" };
  assert.equal(between(choice, "a", 0.9), "a");
  assert.equal(between(choice, "a", 1), "b");
});

test("asterisks mark words, and nothing else is markup", () => {
  assert.deepEqual(parts("A **bold** and *thin* word"), [["", "A "], ["strong", "bold"], ["", " and "], ["em", "thin"], ["", " word"]]);
  assert.deepEqual(parts("<b>2 * 3</b>"), [["", "<b>2 * 3</b>"]]);
});

test("the cosine of two vectors is 1 for a vector and its multiple, and 0 where nothing is shared", () => {
  near(cosine([1, 2, 3], [2, 4, 6]), 1);
  near(cosine([1, 0], [0, 5]), 0);
  near(cosine([0, 0], [0, 5]), 0);
});

test("a class is named at the middle of its points, whatever lies far out", () => {
  const points = [[0, 0], [1, 1], [900, 2], [5, 5]];
  assert.deepEqual(middles([7, 7, 7, 2], (item) => points[item]), [[7, [1, 1]], [2, [5, 5]]]);
});
