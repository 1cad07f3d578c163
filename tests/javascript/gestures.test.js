// What a person does in a plot, and what becomes of it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { listen } from "../../relviz/plotting/linked_map/assets/gestures.js";
import { grouped } from "../../relviz/plotting/linked_map/assets/panel.js";

let told;
let acts;
let plot;

beforeEach(() => {
  told = [];
  const tell = (name) => (...given) => told.push([name, ...given]);
  const names = ["pointAt", "outline", "pan", "zoom", "home", "step", "selectPointed", "selectWithin", "click", "zoomMiddle", "orbit", "rest", "orbitStep"];
  acts = Object.fromEntries(names.map((name) => [name, tell(name)]));
  acts.mode = "pan";
  acts.picture = { grid: { getBoundingClientRect: () => ({ left: 100, top: 50 }) } };
  plot = { classList: { add() {}, remove() {} }, setPointerCapture() {} };
  listen(plot, 2, acts);
});

function at(x, y, more = {}) {
  return { clientX: x + 100, clientY: y + 50, pointerId: 1, button: 0, pointerType: "mouse", shiftKey: false, ...more };
}

function drag(path, more = {}) {
  plot.onpointerdown(at(...path[0], more));
  for (const place of path.slice(1)) plot.onpointermove(at(...place, more));
  plot.onpointerup(at(...path.at(-1), { type: "pointerup", ...more }));
}

const only = (...names) => told.filter(([name]) => names.includes(name));

test("a press that stays is a click in the grid's own pixels", () => {
  drag([[30, 40], [32, 41]]);
  assert.deepEqual(only("click", "pan", "selectWithin"), [["click", 2, { x: 32, y: 41 }, false]]);
});

test("a drag moves by as much as the pointer did, and is no click", () => {
  drag([[30, 40], [40, 40], [45, 50]]);
  const moves = only("pan");
  assert.deepEqual(moves.reduce((sum, [, , dx, dy]) => [sum[0] + dx, sum[1] + dy], [0, 0]), [15, 10]);
  assert.deepEqual(only("click", "selectWithin"), []);
});

test("one hand or finger orbits and then rests, with shift it selects; shift and an arrow orbit by a step", () => {
  acts.mode = "orbit";
  acts.deep = true;
  for (const pointerType of ["mouse", "touch"]) {
    told = [];
    drag([[30, 40], [40, 40], [45, 50]], { pointerType });
    assert.deepEqual(only("orbit", "rest", "pan", "click", "selectWithin"), [["orbit", 10, 0], ["orbit", 5, 10], ["rest"]]);
  }
  drag([[30, 40], [60, 70]], { shiftKey: true });
  assert.equal(only("selectWithin").length, 1);
  told = [];
  const key = (shiftKey) => plot.onkeydown({ key: "ArrowLeft", shiftKey, preventDefault() {} });
  key(true);
  key(false);
  acts.deep = false;
  key(true);
  assert.deepEqual(told.map(([name]) => name), ["orbitStep", "step", "step"]);
});

test("with shift a drag selects a box and adds to what is selected", () => {
  drag([[30, 40], [60, 70]], { shiftKey: true });
  assert.deepEqual(only("selectWithin"), [["selectWithin", 2, [30, 40, 60, 40, 60, 70, 30, 70], true]]);
});

test("a lasso goes through the places of the pointer that are three pixels apart", () => {
  acts.mode = "lasso";
  drag([[30, 40], [50, 40], [51, 41], [50, 60]]);
  assert.deepEqual(only("selectWithin"), [["selectWithin", 2, [30, 40, 50, 40, 50, 60], false]]);
});

test("a gesture that the browser takes away selects nothing", () => {
  acts.mode = "box";
  plot.onpointerdown(at(30, 40));
  plot.onpointermove(at(60, 70));
  plot.onpointercancel(at(60, 70, { type: "pointercancel" }));
  assert.deepEqual(only("selectWithin", "click"), []);
  assert.deepEqual(told.at(-1), ["outline", 2, undefined]);
});

test("two fingers zoom by as much as they come apart, about their middle, and select nothing", () => {
  acts.mode = "box";
  const touch = { pointerType: "touch" };
  plot.onpointerdown(at(100, 100, touch));
  plot.onpointerdown(at(200, 100, { ...touch, pointerId: 2 }));
  plot.onpointermove(at(300, 100, { ...touch, pointerId: 2 }));
  assert.deepEqual(only("pan", "zoom"), [["pan", 2, 50, 0], ["zoom", 2, 2, 200, 100]]);
  plot.onpointerup(at(300, 100, { ...touch, pointerId: 2, type: "pointerup" }));
  plot.onpointermove(at(110, 100, touch)); // the finger that is left moves the map
  plot.onpointerup(at(110, 100, { ...touch, type: "pointerup" }));
  assert.deepEqual(only("selectWithin", "click"), []);
  assert.deepEqual(only("pan").at(-1), ["pan", 2, 10, 0]);
});

test("the wheel zooms in upwards and out downwards, as much one way as the other", () => {
  let held = 0;
  const wheel = (deltaY, deltaMode = 0) => plot.onwheel({ ...at(10, 20), deltaY, deltaMode, preventDefault: () => (held += 1) });
  wheel(-50);
  wheel(50);
  wheel(5000);
  wheel(3, 1); // lines, not pixels
  const [closer, farther, most, lines] = told.map(([, , factor]) => factor);
  assert.ok(closer > 1);
  assert.ok(Math.abs(closer * farther - 1) < 1e-12);
  assert.ok(most > 0.75 && most < farther);
  assert.ok(Math.abs(lines - farther ** (48 / 50)) < 1e-12);
  assert.equal(held, 4);
});

test("keys walk, select, zoom and go home; others and those of the browser are left alone", () => {
  let held = 0;
  const press = (key, more = {}) => plot.onkeydown({ key, shiftKey: false, preventDefault: () => (held += 1), ...more });
  for (const key of ["ArrowLeft", "Enter", "+", "-", "0"]) press(key);
  assert.deepEqual(told, [
    ["step", 2, { x: -1, y: 0 }], ["selectPointed", false], ["zoomMiddle", 2, 1.4], ["zoomMiddle", 2, 1 / 1.4], ["home", 2],
  ]);
  press("a");
  press("0", { ctrlKey: true });
  assert.deepEqual([told.length, held], [5, 5]);
});

test("numbers are grouped by thousands", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
});
