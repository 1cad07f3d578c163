// What is selected, and how it is told: Python must be able to read every answer back.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Selection } from "../../relviz/plotting/linked_map/assets/selection.js";
import { forSeeds, whole } from "./seeded.js";

/** The rows of an answer, read as relviz.plotting.linked_map.encoding reads them. */
function unpacked({ kind, data, n }) {
  const bytes = new Uint8Array(Buffer.from(data, "base64"));
  if (kind === "rows") return [...new Uint32Array(bytes.buffer)];
  assert.equal(bytes.length, Math.ceil(n / 8));
  return Array.from({ length: n }, (_, row) => row).filter((row) => (bytes[row >> 3] >> (row & 7)) & 1);
}

test("a click selects, another takes its place, and with shift it adds or takes away", () => {
  const selection = new Selection(10);
  selection.choose([3], false, 3);
  assert.deepEqual([...selection.rows()], [3]);
  selection.choose([5], false, 5);
  assert.deepEqual([...selection.rows()], [5]);
  selection.choose([8], true, 8);
  assert.deepEqual([...selection.rows()], [5, 8]);
  selection.choose([5], true, 5);
  assert.deepEqual([[...selection.rows()], selection.count, selection.clicked], [[8], 1, 5]);
  selection.choose([], false);
  assert.deepEqual([selection.count, selection.clicked], [0, -1]);
});

test("rows that are added without a click stay selected", () => {
  const selection = new Selection(6);
  selection.choose([1, 2], false);
  selection.choose([2, 3], true);
  assert.deepEqual([...selection.rows()], [1, 2, 3]);
});

test("a gesture that adds keeps the marks, another begins with none", () => {
  const selection = new Selection(4);
  selection.choose([0, 1], false);
  selection.begin(true);
  selection.marks[3] = 1;
  selection.end();
  assert.deepEqual([...selection.rows()], [0, 1, 3]);
  selection.begin(false);
  selection.end();
  assert.equal(selection.count, 0);
});

test("an answer says which rows are selected, in the shorter of two ways", () => {
  forSeeds(40, (random) => {
    const n = whole(random, 1, 30_000);
    const selection = new Selection(n);
    const share = random() ** 4;
    selection.choose(Array.from({ length: n }, (_, row) => row).filter(() => random() < share), false);
    const answer = selection.packed();
    assert.deepEqual(unpacked(answer), [...selection.rows()]);
    assert.equal(answer.n, n);
    assert.equal(answer.kind, 4 * selection.count < n / 8 ? "rows" : "bits");
  });
});

test("all of many rows are told", () => {
  const selection = new Selection(100_003);
  selection.begin(false);
  selection.marks.fill(1);
  selection.end();
  assert.equal(unpacked(selection.packed()).length, 100_003);
});
