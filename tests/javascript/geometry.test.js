// Where points lie: known places, and that moves and zooms undo each other.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  broughtInside, dotOf, homeView, inside, MOST_ZOOM, panned, pixelFrame, pixelOf, raisedOf, starSize, STEPS, unitFrame, zoomed,
} from "../../relviz/plotting/linked_map/assets/geometry.js";
import { forSeeds, scene } from "./seeded.js";

const PLOT = { left: 100, top: 50, width: 400, height: 200 };
const PANE = { box: [-2, -2, 2, 2], home: [-1, -1, 1, 1] };

function near(found, expected, tolerance = 1e-6) {
  assert.ok(Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected)), `${found} is not ${expected}`);
}

test("the middle of home is the middle of the plot, and home just fits its shorter side", () => {
  const frame = pixelFrame(PANE, PLOT, homeView());
  const corners = Uint16Array.of(STEPS / 2 + 0.5, STEPS / 2 + 0.5, STEPS / 4, STEPS / 4, (3 * STEPS) / 4, (3 * STEPS) / 4);
  const [middle, low, high] = [0, 1, 2].map((row) => pixelOf(corners, row, frame));
  near(middle.x, 300, 1e-4);
  near(middle.y, 150, 1e-4);
  near(low.x, 200, 1e-4); // x = -1 of home, 100 pixels a unit
  near(low.y, 250, 1e-4); // y upwards in the data, downwards on the screen
  near(high.x, 400, 1e-4);
  near(high.y, 50, 1e-4);
});

test("in unit coordinates home is centered on 0, and one side of it is as long as the plot's", () => {
  forSeeds(50, (random) => {
    const { pane, plot } = scene(random);
    const { sx, sy, ox, oy } = unitFrame(pane, plot);
    const share = (value, axis) => (value - pane.box[axis]) / (pane.box[axis + 2] - pane.box[axis]);
    const ends = [0, 1].map((axis) => [share(pane.home[axis], axis), share(pane.home[axis + 2], axis)]);
    const [left, right] = ends[0].map((at) => at * sx + ox);
    const [bottom, top] = ends[1].map((at) => at * sy + oy);
    near(left + right, 0);
    near(bottom + top, 0);
    const side = Math.min(plot.width, plot.height);
    const room = [(right - left) / (plot.width / side), (top - bottom) / (plot.height / side)];
    near(Math.max(...room), 1);
  });
});

test("both axes have one scale", () => {
  forSeeds(50, (random) => {
    const { pane, plot, view } = scene(random);
    const { sx, sy } = pixelFrame(pane, plot, view);
    near(sx / (pane.box[2] - pane.box[0]), -sy / (pane.box[3] - pane.box[1]));
  });
});

test("a point goes with the pointer that drags it", () => {
  forSeeds(50, (random) => {
    const { pane, plot, view } = scene(random);
    const positions = Uint16Array.of(12345, 54321);
    const [dx, dy] = [200 * random() - 100, 200 * random() - 100];
    const before = pixelOf(positions, 0, pixelFrame(pane, plot, view));
    const after = pixelOf(positions, 0, pixelFrame(pane, plot, panned(view, plot, dx, dy)));
    near(after.x - before.x, dx, 1e-6 * Math.abs(before.x) + 1e-6);
    near(after.y - before.y, dy, 1e-6 * Math.abs(before.y) + 1e-6);
  });
});

test("what lies under the pointer stays there while zooming, and zooming back gives the view again", () => {
  forSeeds(50, (random) => {
    const { pane, plot, view } = scene(random);
    const positions = Uint16Array.of(30000, 20000);
    const at = pixelOf(positions, 0, pixelFrame(pane, plot, view));
    const factor = 0.6 + random();
    const closer = zoomed(view, plot, factor, at.x, at.y);
    const after = pixelOf(positions, 0, pixelFrame(pane, plot, closer));
    near(after.x, at.x);
    near(after.y, at.y);
    if (closer.zoom !== view.zoom * factor) return; // at a limit
    const back = zoomed(closer, plot, 1 / factor, at.x, at.y);
    for (const key of ["x", "y", "zoom"]) near(back[key], view[key]);
  });
});

test("zoom has a least and a most, and changes nothing there", () => {
  const closest = zoomed(homeView(), PLOT, 1e9, 123, 77);
  assert.equal(closest.zoom, MOST_ZOOM);
  assert.deepEqual(zoomed(closest, PLOT, 2, 400, 60), closest);
  const farthest = zoomed(homeView(), PLOT, 1e-9, 300, 150);
  assert.equal(farthest.zoom, 0.01);
  assert.deepEqual(zoomed(farthest, PLOT, 0.5, 120, 60), farthest);
});

test("a pixel outside is brought well inside, by no more than needed; one inside moves nothing", () => {
  forSeeds(50, (random) => {
    const { pane, plot, view } = scene(random);
    const roomy = { ...plot, width: plot.width + 60, height: plot.height + 60 };
    const positions = Uint16Array.of(65535 * random(), 65535 * random());
    const from = pixelOf(positions, 0, pixelFrame(pane, roomy, view));
    const moved = broughtInside(view, roomy, from.x, from.y);
    const to = pixelOf(positions, 0, pixelFrame(pane, roomy, moved));
    assert.ok(inside(roomy, to.x, to.y));
    for (const [axis, start, length] of [["x", "left", "width"], ["y", "top", "height"]]) {
      const [low, high] = [roomy[start] + 24, roomy[start] + roomy[length] - 24];
      near(to[axis], Math.min(high, Math.max(low, from[axis])), 1e-5);
    }
  });
  const view = homeView();
  assert.equal(broughtInside(view, PLOT, 300, 150), view);
});

test("the edges of a plot are inside it", () => {
  assert.ok(inside(PLOT, 100, 50) && inside(PLOT, 500, 250));
  assert.ok(!inside(PLOT, 99.9, 50) && !inside(PLOT, 500, 250.1));
});

test("of few points dots are opaque; where very many share a plot they are small and let others through, and zooming in undoes that", () => {
  const plot = { width: 600, height: 500 };
  const at = (n, zoom = 1) => dotOf(n, plot, { zoom });
  assert.deepEqual([at(2000), at(20_000), at(80_000)], [7, 4, 2.6].map((size) => ({ size, strength: 1 })));
  assert.deepEqual(raisedOf({ size: 5, strength: 1 }, 900, 1000), { size: 8, strength: 1 });
  assert.deepEqual(raisedOf(at(1_000_000), 40_000, 1_000_000), { size: 2.4, strength: 1 });
  const many = raisedOf(at(1_000_000), 400_000, 1_000_000);
  assert.ok(many.size === 1 && many.strength < 1 && many.strength > at(1_000_000).strength);
  assert.ok(at(2000, 9).size > at(2000).size);
  const [crowd, ten] = [at(1_000_000), at(10_000_000)];
  assert.ok(crowd.size === 1 && crowd.strength < 0.3 && crowd.strength > ten.strength && ten.strength > 0);
  assert.deepEqual(at(1_000_000, 8), { size: 2.6 * 8 ** 0.35, strength: 1 });
  for (let zoom = 1; zoom < 8; zoom *= 1.1) {
    assert.ok(at(1_000_000, 1.1 * zoom).size >= at(1_000_000, zoom).size);
    assert.ok(at(1_000_000, 1.1 * zoom).strength >= at(1_000_000, zoom).strength);
  }
});

test("stars are as large as they were meant, smaller where there are many, and smaller on a phone", () => {
  const [laptop, phone] = [{ width: 388, height: 350 }, { width: 175, height: 123 }];
  near(starSize(15, laptop), 17);
  near(starSize(300, laptop), 13);
  assert.ok(starSize(300, phone) < 0.5 * starSize(300, laptop));
  assert.ok(starSize(3, phone) > 0.9 * starSize(3, laptop));
  const covered = (300 * 0.35 * starSize(300, phone) ** 2) / (phone.width * phone.height);
  assert.ok(covered < 0.2, `stars cover ${covered} of the pane`);
});
