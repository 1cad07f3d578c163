// Which rows lie under the pointer, in a direction, in a polygon: as by the simplest count.

import assert from "node:assert/strict";
import { test } from "node:test";

import { boxPolygon, markInPolygon, nearest, nextInDirection } from "../../relviz/plotting/linked_map/assets/picking.js";
import { pixelFrame, pixelOf } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { forSeeds, places, scene, whole } from "./seeded.js";

const PLAIN = { sx: 1, sy: 1, ox: 0, oy: 0 };
const NONE = (n) => new Uint8Array(n);

function cloud(random, n) {
  const { pane, plot, view } = scene(random);
  const positions = places(random, n);
  const hidden = Uint8Array.from({ length: n }, () => Number(random() < 0.2));
  return { positions, hidden, frame: pixelFrame(pane, plot, view), plot };
}

test("the nearest of three rows, within reach", () => {
  const positions = Uint16Array.of(10, 10, 20, 10, 21, 10);
  assert.equal(nearest(positions, NONE(3), PLAIN, 12, 10, 14), 0);
  assert.equal(nearest(positions, NONE(3), PLAIN, 30, 10, 14), 2);
  assert.equal(nearest(positions, Uint8Array.of(0, 0, 1), PLAIN, 30, 10, 14), 1);
  assert.equal(nearest(positions, NONE(3), PLAIN, 30, 30, 14), -1);
  assert.equal(nearest(positions, NONE(3), PLAIN, 35, 10, 14), 2); // just within reach
  assert.equal(nearest(positions, Uint8Array.of(1, 1, 1), PLAIN, 12, 10, 14), -1);
});

test("no visible row is nearer than the nearest", () => {
  forSeeds(40, (random) => {
    const { positions, hidden, frame, plot } = cloud(random, 60);
    const [x, y] = [plot.left + plot.width * random(), plot.top + plot.height * random()];
    const distances = Array.from(hidden, (gone, row) => {
      const at = pixelOf(positions, row, frame);
      return gone ? Infinity : Math.hypot(at.x - x, at.y - y);
    });
    const least = Math.min(...distances);
    const reach = 1000 * random();
    const row = nearest(positions, hidden, frame, x, y, reach);
    if (Math.abs(least - reach) < 1e-9) return;
    assert.equal(row >= 0, least < reach);
    if (row >= 0) assert.ok(Math.abs(distances[row] - least) < 1e-9);
  });
});

test("the next row to the right is the one ahead, not the one aside", () => {
  const positions = Uint16Array.of(100, 100, 130, 125, 150, 100, 110, 140, 60, 100);
  const from = { x: 100, y: 100 };
  assert.equal(nextInDirection(positions, NONE(5), PLAIN, from, { x: 1, y: 0 }, 0), 2);
  assert.equal(nextInDirection(positions, NONE(5), PLAIN, from, { x: -1, y: 0 }, 0), 4);
  assert.equal(nextInDirection(positions, NONE(5), PLAIN, from, { x: 0, y: 1 }, 0), 3);
  assert.equal(nextInDirection(positions, NONE(5), PLAIN, from, { x: 0, y: -1 }, 0), -1);
});

test("the next row lies within 45° of the direction, and is never hidden or the row itself", () => {
  forSeeds(40, (random) => {
    const { positions, hidden, frame } = cloud(random, 40);
    const except = whole(random, 0, 39);
    const from = pixelOf(positions, except, frame);
    const direction = [{ x: 1, y: 0 }, { x: -1, y: 0 }, { x: 0, y: 1 }, { x: 0, y: -1 }][whole(random, 0, 3)];
    const row = nextInDirection(positions, hidden, frame, from, direction, except);
    const ahead = Array.from(hidden, (gone, other) => {
      const at = pixelOf(positions, other, frame);
      const [along, aside] = [(at.x - from.x) * direction.x + (at.y - from.y) * direction.y,
        (at.x - from.x) * direction.y - (at.y - from.y) * direction.x];
      const possible = !gone && other !== except && along > 0.01 && Math.abs(aside) <= along;
      return possible ? along + 2 * Math.abs(aside) : Infinity;
    });
    const best = Math.min(...ahead);
    assert.equal(row, best === Infinity ? -1 : ahead.indexOf(best));
  });
});

test("a box marks the visible rows within it and leaves other marks as they are", () => {
  forSeeds(40, (random) => {
    const { positions, hidden, frame, plot } = cloud(random, 80);
    const corner = () => ({ x: plot.left + plot.width * random(), y: plot.top + plot.height * random() });
    const [a, b] = [corner(), corner()];
    const marks = NONE(80);
    marks[7] = 1;
    markInPolygon(positions, hidden, frame, boxPolygon(a, b), marks);
    marks.forEach((mark, row) => {
      const { x, y } = pixelOf(positions, row, frame);
      const within = x > Math.min(a.x, b.x) && x < Math.max(a.x, b.x) && y > Math.min(a.y, b.y) && y < Math.max(a.y, b.y);
      assert.equal(mark, Number(row === 7 || (!hidden[row] && within)));
    });
  });
});

test("a polygon marks what lies on the inner side of all its edges", () => {
  forSeeds(40, (random) => {
    const { positions, hidden, frame, plot } = cloud(random, 80);
    const [x, y, radius] = [plot.left + plot.width / 2, plot.top + plot.height / 2, 30 + 200 * random()];
    const polygon = Array.from({ length: 9 }, (_, i) => [
      x + radius * Math.cos((2 * Math.PI * i) / 9), y + radius * Math.sin((2 * Math.PI * i) / 9),
    ]).flat();
    const marks = NONE(80);
    markInPolygon(positions, hidden, frame, polygon, marks);
    marks.forEach((mark, row) => {
      const at = pixelOf(positions, row, frame);
      const sides = polygon.filter((_, i) => i % 2 === 0).map((_, i) => {
        const [ax, ay] = polygon.slice(2 * i, 2 * i + 2);
        const [bx, by] = i === 8 ? polygon.slice(0, 2) : polygon.slice(2 * i + 2, 2 * i + 4);
        return (bx - ax) * (at.y - ay) - (by - ay) * (at.x - ax) > 0;
      });
      assert.equal(mark, Number(!hidden[row] && sides.every(Boolean)));
    });
  });
});

test("a lasso that turns in on itself leaves out what it does not go round", () => {
  const horseshoe = [0, 0, 90, 0, 90, 90, 60, 90, 60, 30, 30, 30, 30, 90, 0, 90];
  const marks = NONE(3);
  markInPolygon(Uint16Array.of(15, 60, 45, 60, 75, 60), NONE(3), PLAIN, horseshoe, marks);
  assert.deepEqual([...marks], [1, 0, 1]);
});
