// Points by plain arithmetic: shapes of the right size, at the right places, laid over each other as they should.

import assert from "node:assert/strict";
import { test } from "node:test";

import { DOT, HOLLOW_STAR, RAISED, STAR } from "../../relviz/plotting/linked_map/assets/coloring.js";
import { homeView, pixelFrame, pixelOf, raisedOf, unitFrame } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { RasterPoints } from "../../relviz/plotting/linked_map/assets/points_raster.js";
import { discs, PHASES, stars } from "../../relviz/plotting/linked_map/assets/stamps.js";
import { canvas, withCanvases } from "./canvas.js";
import { forSeeds, places } from "./seeded.js";

withCanvases();

const PLOT = { left: 5, top: 7, width: 120, height: 80 };
const PANE = { box: [0, 0, 10, 10], home: [0, 0, 10, 10] };
const OPAQUE = { ratio: 1, ink: [0, 0, 0], paper: [1, 1, 1], starSize: 17 };
const DOT_OF = { size: 7, strength: 1 };

function looksFor(n, change = {}) {
  const rgba = new Uint8Array(4 * n).fill(255);
  return { rgba, shape: new Uint8Array(n).fill(DOT), order: Uint32Array.from({ length: n }, (_, row) => row), plain: n, raised: n, ...change };
}

function pane(view = homeView(), moved = 1, dot = DOT_OF) {
  const frame = unitFrame(PANE, PLOT);
  return { plot: PLOT, view, dot, raised: raisedOf(dot, 1, 100), from: { digest: "old", frame }, to: { digest: "new", frame }, moved };
}

function points(old, now, looks) {
  const surface = canvas(200, 150);
  const drawn = new RasterPoints(surface);
  drawn.keep(new Map([["old", old], ["new", now]]));
  drawn.setLooks(looks);
  return { drawn, surface };
}

function painted(old, now, looks, shown = pane(), how = OPAQUE) {
  const { drawn, surface } = points(old, now, looks);
  drawn.draw([shown], how);
  return surface.put.at(-1).image;
}

const alphaSum = (stamp, phase = 0) => stamp.phases[phase].cover.reduce((sum, one) => sum + one, 0) / 256;

function middleOf({ data, width }) {
  let [mass, x, y] = [0, 0, 0];
  for (let i = 0; i < data.length / 4; i++) {
    mass += data[4 * i + 3];
    x += data[4 * i + 3] * ((i % width) + 0.5);
    y += data[4 * i + 3] * (Math.floor(i / width) + 0.5);
  }
  return { mass: mass / 255, x: x / mass, y: y / mass };
}

test("a disc covers the area of a circle, wherever it lies within a pixel", () => {
  for (const size of [4, 7, 12, 20]) {
    const stamp = discs(size);
    assert.equal(stamp.phases.length, PHASES * PHASES);
    stamp.phases.forEach((_, phase) => {
      assert.ok(Math.abs(alphaSum(stamp, phase) / (Math.PI * (size / 2) ** 2) - 1) < 0.04, `${size}`);
    });
  }
});

test("a star covers the area of ten triangles, less where it is drawn in", () => {
  const radius = 10;
  const area = 5 * radius * 0.42 * radius * Math.sin(Math.PI / 5);
  assert.ok(Math.abs(alphaSum(stars(2 * radius)) / area - 1) < 0.05);
  assert.ok(alphaSum(stars(2 * radius, 1.8)) < 0.75 * alphaSum(stars(2 * radius)));
});

test("no pixel of a stamp lies outside its square or is covered more than wholly", () => {
  for (const { side, phases } of [discs(6.6), stars(17), stars(17, 1.2)]) {
    for (const { columns, lines, cover } of phases) {
      for (const at of [...columns, ...lines]) assert.ok(at >= 0 && at < side);
      for (const one of cover) assert.ok(one > 0 && one <= 256);
    }
  }
});

test("a stamp is made once", () => {
  assert.equal(discs(9.5), discs(9.5));
  assert.notEqual(discs(9.5), discs(9.25));
});

test("a point is drawn where geometry says it lies, as large as a disc", () => {
  forSeeds(30, (random) => {
    const now = Uint16Array.of(20_000 + 25_000 * random(), 20_000 + 25_000 * random());
    const view = { x: 0.2 * random() - 0.1, y: 0.2 * random() - 0.1, zoom: 0.8 + 0.3 * random() };
    const expected = pixelOf(now, 0, pixelFrame(PANE, PLOT, view));
    const found = middleOf(painted(now, now, looksFor(1), pane(view)));
    assert.ok(Math.abs(found.x + PLOT.left - expected.x) < 0.2);
    assert.ok(Math.abs(found.y + PLOT.top - expected.y) < 0.2);
    assert.ok(Math.abs(found.mass / (Math.PI * 3.5 ** 2) - 1) < 0.03);
  });
});

test("on the way from an old place to a new one a point is as far as it has moved", () => {
  forSeeds(10, (random) => {
    const [old, now] = [places(random, 1), places(random, 1)].map((two) => two.map((one) => 20_000 + one / 3));
    const view = { ...homeView(), zoom: 0.8 };
    const found = [0, 0.25, 1].map((moved) => middleOf(painted(old, now, looksFor(1), pane(view, moved))));
    for (const axis of ["x", "y"]) {
      const expected = found[0][axis] + 0.25 * (found[2][axis] - found[0][axis]);
      assert.ok(Math.abs(found[1][axis] - expected) < 0.3);
    }
  });
});

test("a color at half strength gives half alpha and keeps its color", () => {
  const looks = looksFor(1, { rgba: Uint8Array.of(200, 100, 50, 128) });
  const { data, width } = painted(Uint16Array.of(32768, 32768), Uint16Array.of(32768, 32768), looks);
  const at = 4 * (40 * width + 60);
  const found = [...data.slice(at, at + 4)];
  [200, 100, 50, 128].forEach((value, i) => assert.ok(Math.abs(found[i] - value) <= 3, `${found}`));
});

test("dots no larger than a pixel are counted: each pixel has what so many over each other have, and their mean color", () => {
  const many = Uint16Array.from({ length: 8 }, () => 32768);
  const rgba = Uint8Array.from([255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255].flatMap((value, i) => (i % 3 === 2 ? [value, 128] : [value])));
  const grains = { size: 1, strength: 0.5 };
  const { data, width } = painted(many, many, looksFor(4, { rgba }), pane(homeView(), 1, grains));
  const [at, ...others] = [...data.keys()].filter((i) => i % 4 === 3 && data[i] > 0);
  const [red, , blue, alpha] = data.slice(at - 3, at + 1);
  assert.deepEqual([others, Math.abs((at >> 2) - (40 * width + 60)) <= width], [[], true]);
  const one = (Math.PI / 4) * 0.5 * (128 / 255);
  assert.ok(Math.abs(alpha - 255 * (1 - (1 - one) ** 4)) <= 1, `${alpha}`);
  assert.ok(Math.abs(red - 127.5) <= 3 && Math.abs(blue - 127.5) <= 3);
});

test("rows that are raised lie over grains, at their full strength", () => {
  const both = Uint16Array.of(32768, 32768, 32768, 32768);
  const looks = looksFor(2, { rgba: Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 255), shape: Uint8Array.of(DOT, RAISED), plain: 1 });
  const { data, width } = painted(both, both, looks, pane(homeView(), 1, { size: 1, strength: 0.1 }));
  const [red, , blue, alpha] = data.slice(4 * (40 * width + 60), 4 * (40 * width + 60) + 4);
  assert.ok(alpha > 200 && blue > 230 && red < 30);
});

test("what is drawn later lies on top", () => {
  const both = Uint16Array.of(32768, 32768, 32768, 32768);
  const rgba = Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 255);
  for (const [order, color] of [[[0, 1], [0, 0, 255]], [[1, 0], [255, 0, 0]]]) {
    const { data, width } = painted(both, both, looksFor(2, { rgba, order: Uint32Array.from(order) }));
    const at = 4 * (40 * width + 60);
    assert.deepEqual([...data.slice(at, at + 4)], [...color, 255]);
  }
});

test("stars are ink with a rim of paper, hollow ones the other way round, selected dots are larger", () => {
  const one = Uint16Array.of(32768, 32768);
  const color = (shape) => {
    const image = painted(one, one, looksFor(1, { shape: Uint8Array.of(shape) }));
    const at = 4 * (40 * image.width + 60);
    return { middle: [...image.data.slice(at, at + 4)], mass: middleOf(image).mass };
  };
  assert.deepEqual(color(STAR).middle, [0, 0, 0, 255]);
  assert.deepEqual(color(HOLLOW_STAR).middle, [255, 255, 255, 255]);
  assert.ok(color(RAISED).mass > 2 * color(DOT).mass);
});

test("points at the edge are cut off there, and those far outside are not drawn", () => {
  const view = homeView();
  const corner = Uint16Array.of(0, 0);
  const { mass } = middleOf(painted(corner, corner, looksFor(1), pane(view)));
  assert.ok(mass > 10 && mass < 38.5); // a half at the bottom edge, none of it at the left: home is 80 pixels wide
  const far = middleOf(painted(corner, corner, looksFor(1), pane({ ...view, x: 9 })));
  assert.equal(far.mass, 0);
});

test("a pane in which nothing changed is not drawn again, and one that moved is", () => {
  const one = Uint16Array.of(32768, 32768);
  const { drawn, surface } = points(one, one, looksFor(1));
  drawn.draw([pane(), pane({ ...homeView(), x: 1 })], OPAQUE);
  drawn.draw([pane(), pane({ ...homeView(), x: 2 })], OPAQUE);
  assert.equal(surface.put.length, 3);
  drawn.setLooks(looksFor(1));
  drawn.draw([pane(), pane({ ...homeView(), x: 2 })], OPAQUE);
  assert.equal(surface.put.length, 5);
});
