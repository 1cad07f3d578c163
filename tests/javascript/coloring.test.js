// What every row looks like: colors by class or number, stars on top, hidden classes gone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { colorWords, DOT, HOLLOW_STAR, looksOf, plainNumber, RAISED, STAR } from "../../relviz/plotting/linked_map/assets/coloring.js";
import { ANCHOR, HOLLOW, STARS } from "../../relviz/plotting/linked_map/assets/payload.js";
import { Selection } from "../../relviz/plotting/linked_map/assets/selection.js";
import { forSeeds, whole } from "./seeded.js";

const CLASSES = { kind: "class", palette: ["#ff0000", "#00ff00", "#0000ff"], names: ["a", "b", "c"], alpha: 0.8 };
const NUMBERS = { kind: "number", palette: ["#000000", "#ff8000"], missing: "#808080", alpha: 1, low: -1, high: 3, title: "depth" };

function looks(payload, { chosen = [], starsShown = STARS, hidden = [] } = {}) {
  const selection = new Selection(payload.n);
  selection.choose(chosen, false);
  return looksOf(payload, { selection, starsShown, hiddenNames: new Set(hidden) });
}

function rows(codes, colors, flags = codes.map(() => 0)) {
  return { n: codes.length, codes: Uint16Array.from(codes), flags: Uint8Array.from(flags), colors };
}

const rgb = ({ rgba }, row) => [...rgba.slice(4 * row, 4 * row + 3)];
const alpha = ({ rgba }, row) => rgba[4 * row + 3];

test("a class has its color, at the strength that was asked for", () => {
  const made = looks(rows([2, 0, 1], CLASSES));
  assert.deepEqual([0, 1, 2].map((row) => rgb(made, row)), [[0, 0, 255], [255, 0, 0], [0, 255, 0]]);
  assert.deepEqual([0, 1, 2].map((row) => alpha(made, row)), [204, 204, 204]);
  assert.deepEqual([...made.order], [0, 1, 2]);
});

test("a number has its place on the scale, and none has the color of none", () => {
  const made = looks(rows([0, 65534, 32767, 65535], NUMBERS));
  assert.deepEqual(rgb(made, 0), [0, 0, 0]);
  assert.deepEqual(rgb(made, 1), [255, 128, 0]);
  assert.deepEqual(rgb(made, 2), [128, 64, 0]);
  assert.deepEqual(rgb(made, 3), [128, 128, 128]);
});

test("larger numbers are never darker on a scale from black", () => {
  forSeeds(20, (random) => {
    const [low, high] = [whole(random, 0, 65534), whole(random, 0, 65534)].sort((a, b) => a - b);
    const made = looks(rows([low, high], NUMBERS));
    assert.ok(rgb(made, 0)[0] <= rgb(made, 1)[0]);
  });
});

test("rows of a hidden class are not drawn, others all are, once", () => {
  forSeeds(20, (random) => {
    const n = whole(random, 1, 60);
    const codes = Array.from({ length: n }, () => whole(random, 0, 2));
    const flags = codes.map(() => whole(random, 0, 3));
    const chosen = codes.map((_, row) => row).filter(() => random() < 0.3);
    const made = looks(rows(codes, CLASSES, flags), { chosen, hidden: ["b"] });
    codes.forEach((code, row) => assert.equal(made.hidden[row], Number(code === 1)));
    assert.deepEqual([...made.order].sort((a, b) => a - b), codes.flatMap((code, row) => (code === 1 ? [] : [row])));
  });
});

test("stars lie over selected rows, and those over the others", () => {
  const made = looks(rows([0, 0, 0, 0], CLASSES, [ANCHOR, 0, HOLLOW, 0]), { chosen: [1] });
  assert.deepEqual([...made.order], [3, 1, 0, 2]);
  assert.deepEqual([...made.shape], [STAR, RAISED, HOLLOW_STAR, DOT]);
  assert.deepEqual([0, 2].map((row) => alpha(made, row)), [255, 255]);
});

test("stars that are switched off are dots", () => {
  const payload = rows([0, 0], CLASSES, [ANCHOR, HOLLOW]);
  assert.deepEqual([...looks(payload, { starsShown: HOLLOW }).shape], [DOT, HOLLOW_STAR]);
  assert.deepEqual([...looks(payload, { starsShown: 0 }).shape], [DOT, DOT]);
});

test("two selected rows dim the rest, one does not", () => {
  const payload = rows([0, 0, 0, 0], CLASSES, [0, 0, 0, ANCHOR]);
  const two = looks(payload, { chosen: [0, 1] });
  assert.deepEqual([0, 1, 2, 3].map((row) => alpha(two, row)), [255, 255, 25, 63]);
  const one = looks(payload, { chosen: [0] });
  assert.deepEqual([0, 1, 2, 3].map((row) => alpha(one, row)), [255, 204, 204, 255]);
});

test("the words of a color are its class or its number", () => {
  assert.equal(colorWords(rows([2], CLASSES), 0), "c");
  assert.equal(colorWords(rows([0], NUMBERS), 0), "depth -1");
  assert.equal(colorWords(rows([65534], NUMBERS), 0), "depth 3");
  assert.equal(colorWords(rows([32767], NUMBERS), 0), "depth 1");
  assert.equal(colorWords(rows([65535], NUMBERS), 0), "");
  assert.equal(colorWords(rows([0], { ...NUMBERS, kind: "none" }), 0), "");
});

test("numbers are written short", () => {
  const said = [0, 1, -0.25, 3.14159, 42.123, 12345.678, 1e6, 0.0004, -2.5e-7].map(plainNumber);
  assert.deepEqual(said, ["0", "1", "-0.25", "3.142", "42.1", "12345.7", "1.00e+6", "4.00e-4", "-2.50e-7"]);
});
