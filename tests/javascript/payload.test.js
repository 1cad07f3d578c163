// The bytes that Python sends: what is read is what was written, wherever it lies in a buffer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ANCHOR, HOLLOW, LABELED, readPayload, STARS, withPanes } from "../../relviz/plotting/linked_map/assets/payload.js";
import { forSeeds, places, whole } from "./seeded.js";

/** A message as relviz.plotting.linked_map.encoding writes it: length, padded header, arrays at places of four bytes. */
function message(header, arrays, offset = 0) {
  const body = [];
  let at = 0;
  const placesOf = Object.fromEntries(Object.entries(arrays).map(([name, array]) => {
    const bytes = new Uint8Array(array.buffer);
    const place = [at, array.length];
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    body.push(padded);
    at += padded.length;
    return [name, place];
  }));
  const text = JSON.stringify(header(placesOf));
  const head = new TextEncoder().encode(text + " ".repeat((4 - (new TextEncoder().encode(text).length % 4)) % 4));
  const all = new Uint8Array(offset + 4 + head.length + at);
  new DataView(all.buffer).setUint32(offset, head.length, true);
  all.set(head, offset + 4);
  let place = offset + 4 + head.length;
  for (const part of body) {
    all.set(part, place);
    place += part.length;
  }
  return all.subarray(offset);
}

function sent(random, offset) {
  const n = whole(random, 1, 40);
  const arrays = {
    codes: Uint16Array.from({ length: n }, () => whole(random, 0, 65535)),
    flags: Uint8Array.from({ length: n }, () => whole(random, 0, 7)),
    first: places(random, n),
    starts: Uint32Array.of(0, 70_000, 5_000_000),
  };
  const bytes = message((at) => ({
    n,
    code_bytes: 2,
    codes: at.codes,
    flags: at.flags,
    texts: { url: "/media/ü.bin", starts: at.starts },
    panes: [{ title: "Größe <b>", positions: at.first }, { title: "", message: "none" }],
  }), arrays, offset);
  return { arrays, bytes };
}

test("arrays come back, at any offset of the buffer", () => {
  forSeeds(24, (random) => {
    const { arrays, bytes } = sent(random, whole(random, 0, 7));
    const payload = readPayload(bytes);
    assert.deepEqual(payload.codes, arrays.codes);
    assert.deepEqual(payload.flags, arrays.flags);
    assert.deepEqual(payload.textStarts, arrays.starts);
    assert.deepEqual(payload.panes[0].positions, arrays.first);
    assert.equal(payload.panes[0].title, "Größe <b>");
    assert.equal(payload.panes[1].positions, undefined);
    assert.equal(payload.panes[1].message, "none");
  });
});

test("arrays are views of the message where it lies at a place of four bytes", () => {
  forSeeds(4, (random) => {
    const { bytes } = sent(random, 4);
    assert.equal(readPayload(bytes).codes.buffer, bytes.buffer);
  });
});

test("codes of one byte are read as bytes", () => {
  const codes = Uint8Array.of(0, 1, 255);
  const header = (at) => ({ code_bytes: 1, codes: at.codes, flags: at.flags, panes: [] });
  const payload = readPayload(message(header, { codes, flags: new Uint8Array(3) }));
  assert.deepEqual(payload.codes, codes);
  assert.equal(payload.textStarts, undefined);
});

test("flags are bits of their own", () => {
  assert.equal(ANCHOR & HOLLOW, 0);
  assert.equal(LABELED & STARS, 0);
  assert.equal(STARS, ANCHOR + HOLLOW);
});

test("some of the panes keep their order and what joins them", () => {
  const pane = (title, joined) => ({ title, joined });
  const payload = { digest: "d", panes: [pane("a", null), pane("b", 0), pane("c", null), pane("d", 2)] };
  const some = withPanes(payload, [2, 3], "Relative");
  assert.deepEqual(some.panes, [pane("c", null), pane("d", 0)]);
  assert.deepEqual(withPanes(payload, [3], "one").panes, [pane("d", null)]);
  assert.notEqual(some.digest, withPanes(payload, [2, 3], "other").digest);
  assert.equal(payload.panes[3].joined, 2);
});
