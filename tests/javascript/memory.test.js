// What a map leaves behind is found again by the map of the same name and the same rows, and by no other.

import assert from "node:assert/strict";
import { test } from "node:test";

import { recall, remember } from "../../relviz/plotting/linked_map/assets/memory.js";

const LEFT = { views: {}, selection: {}, hiddenNames: new Set(["a"]), wished: { marks: "texts" }, starsShown: 1, taken: 4, acts: { mode: "lasso" } };

test("the same rows are remembered", () => {
  remember({ payload: { name: "maps", identity: "x", n: 5 }, ...LEFT });
  const found = recall({ name: "maps", identity: "x", n: 5 });
  assert.equal(found.views, LEFT.views);
  assert.equal(found.selection, LEFT.selection);
  assert.equal(found.hiddenNames, LEFT.hiddenNames);
  assert.equal(found.wished, LEFT.wished);
  assert.deepEqual([found.starsShown, found.taken, found.mode], [1, 4, "lasso"]);
});

test("another name, other rows or another number of them are not", () => {
  remember({ payload: { name: "maps", identity: "x", n: 5 }, ...LEFT });
  assert.equal(recall({ name: "others", identity: "x", n: 5 }), undefined);
  assert.equal(recall({ name: "maps", identity: "y", n: 5 }), undefined);
  assert.equal(recall({ name: "maps", identity: "x", n: 6 }), undefined);
});

test("the last visit counts", () => {
  remember({ payload: { name: "maps", identity: "x", n: 5 }, ...LEFT });
  remember({ payload: { name: "maps", identity: "y", n: 5 }, ...LEFT, starsShown: 2 });
  assert.equal(recall({ name: "maps", identity: "x", n: 5 }), undefined);
  assert.equal(recall({ name: "maps", identity: "y", n: 5 }).starsShown, 2);
});
