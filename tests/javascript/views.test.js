// Views of panes: those of a group move as one while that is switched on.

import assert from "node:assert/strict";
import { test } from "node:test";

import { homeView } from "../../relviz/plotting/linked_map/assets/geometry.js";
import { Views } from "../../relviz/plotting/linked_map/assets/views.js";
import { forSeeds, whole } from "./seeded.js";

const PLOTS = [0, 1, 2, 3].map((i) => ({ left: 300 * i, top: 0, width: 280, height: 200 }));
const HOME = homeView();

function of(...groups) {
  const views = new Views();
  views.take(groups);
  return views;
}

test("panes of a group move together, others stay", () => {
  const views = of(null, 1, null, 1);
  views.pan(1, PLOTS, 20, 10);
  assert.deepEqual(views.all[1], { x: -0.1, y: 0.05, zoom: 1 });
  assert.deepEqual(views.all[3], views.all[1]);
  assert.deepEqual([views.all[0], views.all[2]], [HOME, HOME]);
});

test("once unlinked a pane moves alone; linked again, its group goes where its first pane is", () => {
  const views = of(1, 1);
  views.toggleLink();
  views.zoom(1, PLOTS, 2, 400, 100);
  assert.deepEqual(views.all[0], HOME);
  assert.equal(views.all[1].zoom, 2);
  views.toggleLink();
  assert.deepEqual(views.all, [HOME, HOME]);
});

test("panes can be linked where a group has two", () => {
  assert.equal(of(null, null).canLink, false);
  assert.equal(of(1, 2).canLink, false);
  assert.equal(of(1, 2, 2).canLink, true);
  const apart = of(1, 1);
  apart.toggleLink();
  assert.equal(apart.canLink, true);
});

test("without a pane, all zoom once each and go home", () => {
  const views = of(null, 1, 1, null);
  views.zoomMiddle(undefined, PLOTS, 1.5);
  assert.deepEqual(views.all.map((view) => view.zoom), [1.5, 1.5, 1.5, 1.5]);
  views.home(undefined);
  assert.deepEqual(views.all, [HOME, HOME, HOME, HOME]);
});

test("zooming about the middle keeps the middle, and home of one pane is home of its group", () => {
  const views = of(null, 1, 1);
  views.pan(2, PLOTS, 40, 0);
  views.zoomMiddle(2, PLOTS, 3);
  assert.ok(Math.abs(views.all[1].x + 0.2) < 1e-12);
  views.pan(0, PLOTS, 5, 5);
  views.home(1);
  assert.deepEqual(views.all.slice(1), [HOME, HOME]);
  assert.notDeepEqual(views.all[0], HOME);
});

test("views stay with their place when panes come and go, until they are forgotten", () => {
  const views = of(null, null);
  views.pan(0, PLOTS, 10, 0);
  const kept = views.all[0];
  views.take([null, null, null]);
  assert.deepEqual(views.all, [kept, HOME, HOME]);
  views.take([null]);
  assert.deepEqual(views.all, [kept]);
  views.forget();
  views.take([null]);
  assert.deepEqual(views.all, [HOME]);
});

test("whatever is done, linked panes of a group share one view", () => {
  forSeeds(30, (random) => {
    const groups = PLOTS.map(() => [null, 1, 2][whole(random, 0, 2)]);
    const views = of(...groups);
    for (let step = 0; step < 20; step++) {
      const pane = whole(random, 0, 3);
      const acts = [
        () => views.pan(pane, PLOTS, 100 * random() - 50, 100 * random() - 50),
        () => views.zoom(pane, PLOTS, 0.5 + random(), PLOTS[pane].left + 280 * random(), 200 * random()),
        () => views.zoomMiddle(undefined, PLOTS, 0.5 + random()),
        () => views.home(pane),
        () => views.toggleLink(),
      ];
      acts[whole(random, 0, 4)]();
      if (!views.linked) continue;
      groups.forEach((group, one) => groups.forEach((other, two) => {
        if (group !== null && group === other) assert.deepEqual(views.all[one], views.all[two]);
      }));
    }
  });
});
