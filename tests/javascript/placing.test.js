// Boxes find room without lying over one another, the first before the later, and stay while one zooms in.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Appearing, Taken } from "../../relviz/plotting/linked_map/assets/placing.js";
import { forSeeds, whole } from "./seeded.js";

const crosses = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

function boxesOf(random, n) {
  return Array.from({ length: n }, () => {
    const [left, top] = [800 * random() - 400, 800 * random() - 400];
    return [left, top, left + 1 + 90 * random(), top + 1 + 30 * random()];
  });
}

test("a box is taken exactly when none before it lies there", () => {
  forSeeds(20, (random) => {
    const taken = new Taken(whole(random, 8, 60));
    const kept = [];
    for (const box of boxesOf(random, 120)) {
      const room = !kept.some((other) => crosses(box, other));
      assert.equal(taken.claim(...box), room);
      if (room) kept.push(box);
    }
  });
});

test("boxes that touch lie beside each other", () => {
  const taken = new Taken(10);
  assert.ok(taken.claim(0, 0, 10, 10));
  assert.ok(taken.claim(10, 0, 20, 10));
  assert.ok(taken.claim(-10, -10, 0, 0));
  assert.ok(!taken.claim(9.9, 9.9, 30, 30));
});

const SIDE = 20;

function cloud(random, n) {
  const places = Array.from({ length: n }, () => [500 * random(), 500 * random()]);
  const boxOf = (row, zoom) => {
    const [x, y] = places[row].map((place) => place * zoom);
    const half = (SIDE * Math.max(0.5, zoom ** 0.25)) / 2;
    return [x - half, y - half, x + half, y + half];
  };
  return { boxOf, rows: [...places.keys()] };
}

test("at every zoom no two boxes lie over one another, and those that were there stay", () => {
  forSeeds(6, (random) => {
    const { boxOf, rows } = cloud(random, 400);
    const appearing = new Appearing(rows, boxOf, SIDE);
    let before = [];
    for (let zoom = 0.05; zoom < 60; zoom *= 1.17) {
      const shown = appearing.at(zoom);
      assert.deepEqual(shown.slice(0, before.length), before);
      for (let i = 0; i < shown.length; i++) {
        for (let j = 0; j < i; j++) assert.ok(!crosses(boxOf(shown[i], zoom), boxOf(shown[j], zoom)));
      }
      before = shown;
    }
    assert.ok(before.length > 0.9 * rows.length);
  });
});

test("the choice is that of the zoom alone, and the first row is always there", () => {
  forSeeds(6, (random) => {
    const { boxOf, rows } = cloud(random, 200);
    const [one, other] = [new Appearing(rows, boxOf, SIDE), new Appearing(rows, boxOf, 50)];
    other.at(30);
    for (const zoom of [4, 0.02, 1, 9]) {
      assert.deepEqual(one.at(zoom), other.at(zoom));
      assert.equal(one.at(zoom)[0], 0);
    }
  });
});

test("no row that waits has room at the zoom of its level", () => {
  forSeeds(6, (random) => {
    const { boxOf, rows } = cloud(random, 300);
    const shown = new Appearing(rows, boxOf, SIDE).at(2);
    const there = new Set(shown);
    for (const row of rows) {
      if (!there.has(row)) assert.ok(shown.some((other) => crosses(boxOf(row, 2), boxOf(other, 2))));
    }
  });
});
