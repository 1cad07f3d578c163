// Texts of rows are fetched in blocks when they are asked for, once; what does not come is asked for later.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { Texts } from "../../relviz/plotting/linked_map/assets/texts.js";

const BLOCK = 4;
const ITEMS = Array.from({ length: 10 }, (_, row) => ({ item: `Größe ${row}`, label: row % 2 ? "odd" : "even" }));

/** The file as relviz.plotting.linked_map.encoding writes it, and where its blocks start. */
function fileOf(items) {
  const blocks = [];
  for (let start = 0; start < items.length; start += BLOCK) {
    const records = items.slice(start, start + BLOCK).map(({ item, label }) => `${item}\u001f${label}`);
    blocks.push(new TextEncoder().encode(records.join("\u001e")));
  }
  const starts = [0];
  for (const block of blocks) starts.push(starts.at(-1) + block.length);
  return { bytes: Uint8Array.from(blocks.flatMap((block) => [...block])), starts: Uint32Array.from(starts) };
}

const FILE = fileOf(ITEMS);
const PAYLOAD = { texts: { url: "/media/texts.bin", block: BLOCK }, textStarts: FILE.starts, sprite: null };

let asked;
let answer;
let now;
const before = { fetch: globalThis.fetch, now: performance.now };

beforeEach(() => {
  asked = [];
  now = 0;
  globalThis.window = { location: { origin: "http://localhost:8501" } };
  answer = (from, to) => ({ status: 206, bytes: FILE.bytes.slice(from, to) });
  performance.now = () => now;
  globalThis.fetch = async (url, { headers } = {}) => {
    const range = headers?.Range;
    asked.push(range ?? "all");
    assert.equal(url, "http://localhost:8501/media/texts.bin");
    const [from, last] = range ? range.match(/\d+/g).map(Number) : [0, FILE.bytes.length - 1];
    const { status, bytes } = await answer(from, last + 1, range);
    return { status, ok: status < 400, arrayBuffer: async () => bytes.buffer };
  };
});

afterEach(() => {
  globalThis.fetch = before.fetch;
  performance.now = before.now;
  delete globalThis.window;
});

const idle = () => new Promise((resolve) => {
  setImmediate(resolve);
});

function taken(payload = PAYLOAD) {
  let loaded = 0;
  const texts = new Texts(() => {
    loaded += 1;
  });
  texts.take(payload);
  return { texts, loaded: () => loaded };
}

test("a row is not there at first, and after its block has come it is; no block is fetched twice", async () => {
  const { texts, loaded } = taken();
  assert.equal(texts.get(5), undefined);
  assert.equal(texts.get(6), undefined);
  await idle();
  assert.deepEqual(asked, [`bytes=${FILE.starts[1]}-${FILE.starts[2] - 1}`]);
  assert.equal(loaded(), 1);
  for (const row of [4, 5, 6, 7]) assert.deepEqual(texts.get(row), ITEMS[row]);
  assert.equal(asked.length, 1);
});

test("every row is found in its block, also in the last, which is shorter", async () => {
  const { texts } = taken();
  ITEMS.forEach((_, row) => texts.get(row));
  await idle();
  assert.deepEqual(ITEMS.map((_, row) => texts.get(row)), ITEMS);
  assert.equal(asked.length, 3);
});

test("a server that knows no ranges gives all, and the block is cut out", async () => {
  answer = () => ({ status: 200, bytes: FILE.bytes.slice() });
  const { texts } = taken();
  texts.get(9);
  await idle();
  assert.deepEqual(texts.get(9), ITEMS[9]);
});

test("a block that failed is said to be missing, and asked for again after five seconds, not before", async () => {
  answer = () => ({ status: 404, bytes: new Uint8Array() });
  const { texts } = taken();
  assert.equal(texts.failed(0), false);
  texts.get(0);
  await idle();
  assert.equal(texts.failed(0), true);
  assert.equal(texts.failed(9), false);
  now = 4999;
  texts.get(0);
  assert.equal(asked.length, 1);
  answer = (from, to) => ({ status: 206, bytes: FILE.bytes.slice(from, to) });
  now = 5001;
  texts.get(0);
  await idle();
  assert.deepEqual(texts.get(0), ITEMS[0]);
  assert.equal(texts.failed(0), false);
});

test("a search reads the file once, and finds texts whatever their case", async () => {
  const { texts } = taken();
  assert.deepEqual(await texts.search("grÖSSE 3"), []);
  assert.deepEqual(await texts.search("GRÖßE 3"), [3]);
  assert.deepEqual(await texts.search("größe"), ITEMS.map((_, row) => row));
  assert.deepEqual(asked, ["all"]);
  assert.deepEqual(texts.get(2), ITEMS[2]); // what was searched is there to be shown
});

test("a search without an answer is null, and may be tried again", async () => {
  answer = () => {
    throw new Error("gone");
  };
  const { texts } = taken();
  assert.equal(await texts.search("3"), null);
  answer = () => ({ status: 500, bytes: new Uint8Array() });
  assert.equal(await texts.search("3"), null);
  answer = () => ({ status: 200, bytes: FILE.bytes.slice() });
  assert.deepEqual(await texts.search("3"), [3]);
});

test("all texts are fetched once when they are to stand on the map; after a failure again, but not at once", async () => {
  answer = () => ({ status: 500, bytes: new Uint8Array() });
  const { texts, loaded } = taken();
  assert.equal(texts.atHand(), false);
  assert.equal(texts.atHand(), false);
  await idle();
  assert.deepEqual([asked.length, loaded()], [1, 1]);
  answer = () => ({ status: 200, bytes: FILE.bytes.slice() });
  now = 4999;
  assert.equal(texts.atHand(), false);
  now = 5001;
  assert.equal(texts.atHand(), false);
  await idle();
  assert.equal(texts.atHand(), true);
  assert.deepEqual([asked, texts.get(9)], [["all", "all"], ITEMS[9]]);
});

test("a map without texts has none, and asks for none", async () => {
  const { texts } = taken({ texts: null, sprite: null });
  assert.equal(texts.get(0), undefined);
  assert.deepEqual(await texts.search("3"), []);
  assert.deepEqual(asked, []);
});

test("texts of another file do not stay, those of the same file do", async () => {
  const { texts } = taken();
  texts.get(0);
  await idle();
  texts.take({ ...PAYLOAD, texts: { ...PAYLOAD.texts } });
  assert.deepEqual(texts.get(0), ITEMS[0]);
  texts.take({ texts: null, sprite: null });
  assert.equal(texts.get(0), undefined);
});

test("what comes for an old file is not taken for the new one", async () => {
  let release;
  answer = () => new Promise((resolve) => {
    release = () => resolve({ status: 206, bytes: FILE.bytes.slice(0, FILE.starts[1]) });
  });
  const { texts } = taken();
  texts.get(0);
  texts.take({ ...PAYLOAD, texts: { url: "/media/others.bin", block: BLOCK } });
  release();
  await idle();
  assert.equal(texts.blocks.size, 0);
});

test("a picture is cut from the sheet by its row", () => {
  const { texts } = taken();
  const drawn = [];
  const context = { drawImage: (...given) => drawn.push(given) };
  assert.equal(texts.drawPicture(context, 5, 1, 2, 20), false);
  [texts.sprite, texts.spriteAbout] = ["sheet", { cell: 32, columns: 4 }];
  assert.equal(texts.drawPicture(context, 5, 1, 2, 20), true);
  assert.deepEqual(drawn, [["sheet", 32, 32, 32, 32, 1, 2, 20, 20]]);
});
