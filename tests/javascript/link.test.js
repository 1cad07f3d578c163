// Modules without a server: each is imported once, from its own source, and bytes come back whole.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { linked, unpacked } from "../../relviz/plotting/linked_map/assets/link.js";

/** What the module a.js exports, and the modules in the order in which they were made. */
async function imported(sources) {
  const made = [];
  const address = linked(sources, (code, name) => {
    made.push(name);
    return `data:text/javascript,${encodeURIComponent(code)}`;
  });
  return { exported: await import(address("a.js")), made };
}

test("a module imports what it names, and two that name a third share it", async () => {
  const { exported, made } = await imported({
    "a.js": 'import { next } from "./count.js";\nimport { b } from "./b.js";\nexport const seen = [next(), b, next()];',
    "b.js": 'import {\n  next,\n} from "./count.js";\nexport const b = next();',
    "count.js": 'let count = 0;\nexport const next = () => ++count; // from "./b.js"',
  });
  assert.deepEqual(exported.seen, [2, 1, 3]);
  assert.deepEqual(made, ["count.js", "b.js", "a.js"]);
});

test("every module of the map is found by those that import it, and none imports itself by a detour", () => {
  const folder = new URL("../../relviz/plotting/linked_map/assets/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const sources = Object.fromEntries(names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));
  const codes = new Map();
  const address = linked(sources, (code, name) => {
    codes.set(name, code);
    return `blob:${name}`;
  });
  for (const name of names) address(name);
  assert.equal(codes.size, names.length);
  for (const code of codes.values()) assert.doesNotMatch(code, /from "\.\/\w+\.js";/);
});

test("types that a comment imports are no modules: two may name each other", async () => {
  const { exported, made } = await imported({
    "a.js": 'import { b } from "./b.js";\n/** @import { B } from "./b.js" */\nexport const a = b;',
    "b.js": '/** @import { A } from "./a.js" */\n/** @type {import("./a.js").A} */\nexport const b = 1;',
  });
  assert.equal(exported.a, 1);
  assert.deepEqual(made, ["b.js", "a.js"]);
});

test("bytes come back from deflated base64", async () => {
  const bytes = Uint8Array.from({ length: 3000 }, (_, i) => (i * i) % 251);
  assert.deepEqual(await unpacked(deflateSync(bytes).toString("base64")), bytes);
});
