// Two poses of one space side by side, and the cosines of one item to the anchors in both.

import { drawItem } from "./arrays.js";
import { contextOf, el } from "./dom.js";
import { cosines, mean, minus, posed, poseOf, rotation } from "./pose.js";
import { Stage, palette } from "./stage.js";
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */
/** @import { Vector } from "./pose.js" */
/** @import { Palette } from "./stage.js" */

/** @typedef {{ x: number, y: number, near: number }} Projected */
/** @typedef {{ side: "A" | "B", canvas: HTMLCanvasElement, place: HTMLElement, box: HTMLElement, stage: Stage, drawn?: (Projected & { item: number })[] }} Pane */

const SIDES = /** @type {const} */ (["A", "B"]);
const SAME = 0.005;
const REACH = 1.18;
const REACH_SHIFTED = 1.62;
/** @type {Record<string, [tilt: number, spin: number]>} */
const TURN_KEYS = { ArrowLeft: [0, -8], ArrowRight: [0, 8], ArrowUp: [-8, 0], ArrowDown: [8, 0] };

export class PosePicture {
  /** @type {Values} */ values;
  /** @type {{ places: Vector[], middle: Vector }[]} A's and B's */ spaces;
  /** @type {{ x: number, y: number, moved: number } | undefined} */ grabbed;

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   * @param {{ item: number, view: [number, number] }} memory
   */
  constructor(stage, { texts, arrays, sheet }, memory) {
    this.sheet = sheet;
    this.memory = memory;
    this.names = texts.items;
    this.rows = arrays.rows;
    this.anchors = [...arrays.anchors];
    this.axis = [...arrays.axis];
    const [n, dimension] = arrays.places.shape;
    this.solid = dimension === 3;
    this.places = Array.from({ length: n }, (_, row) => [...arrays.places.subarray(row * dimension, (row + 1) * dimension)]);
    memory.item ??= this.names.indexOf("banana");
    memory.view ??= [-20, 30];
    this.panes = SIDES.map((side) => this.pane(side));
    this.bars = el("div", { class: "posebars" });
    this.verdict = el("p", { class: "chip", role: "status" });
    const select = el("select", { "aria-label": "Item", onchange: () => this.choose(Number(select.value)) }, this.names.map((name, at) => el("option", { value: at }, name)));
    this.select = select;
    stage.append(
      el("div", { class: "panes" }, this.panes.map((pane) => pane.box)),
      el("div", { class: "poserow" }, el("div", { class: "who" }, el("label", {}, "Item ", select), this.verdict), this.bars),
    );
  }

  /**
   * @param {"A" | "B"} side
   * @returns {Pane}
   */
  pane(side) {
    const canvas = el("canvas", { role: "img", tabindex: this.solid ? 0 : -1, "aria-label": `Model ${side}${this.solid ? ", turned by dragging or by the arrow keys" : ""}` });
    const place = el("span", { class: "coordinates" });
    const box = el("figure", {}, el("figcaption", {}, el("b", { class: `side${side}` }, `Model ${side} `), place), canvas);
    const stage = new Stage(canvas, (context, width, height) => this.drawPane(pane, context, width, height));
    /** @type {Pane} */
    const pane = { side, canvas, place, box, stage };
    canvas.addEventListener("pointerdown", (event) => this.grab(pane, event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    canvas.addEventListener("pointerup", (event) => this.drop(pane, event));
    canvas.addEventListener("keydown", (event) => {
      const by = TURN_KEYS[event.key];
      if (!this.solid || !by) return;
      event.preventDefault();
      this.turnView(...by);
    });
    return pane;
  }

  /** @param {Values} values */
  set(values) {
    this.values = values;
    const moved = posed(this.places, poseOf(values), this.axis);
    const centered = values.center === "on";
    const origin = this.places[0].map(() => 0);
    this.spaces = [this.places, moved].map((places) => ({ places, middle: centered ? mean(places) : origin }));
    this.paint();
  }

  /** @param {number} item */
  choose(item) {
    this.memory.item = item;
    this.paint();
  }

  fill() {
    const { memory, anchors, names } = this;
    this.select.value = String(memory.item);
    const cosinesIn = this.spaces.map(({ places, middle }) => {
      const rows = minus(places, middle);
      return cosines(rows[memory.item], anchors.map((at) => rows[at]));
    });
    for (const [at, pane] of this.panes.entries()) {
      pane.place.textContent = `(${this.spaces[at].places[memory.item].map((part) => part.toFixed(2)).join(", ")})`;
    }
    const [a, b] = cosinesIn;
    this.bars.replaceChildren(...anchors.map((anchor, at) => this.bar(names[anchor], anchor, a[at], b[at])));
    const worst = this.worst();
    const same = worst < SAME;
    this.verdict.textContent = same ? "All cosines agree." : `Cosines differ by up to ${worst.toFixed(2)}.`;
    this.verdict.className = same ? "chip good" : "chip bad";
  }

  /** The largest difference of a cosine, over all items and anchors. */
  worst() {
    const [a, b] = this.spaces.map(({ places, middle }) => {
      const rows = minus(places, middle);
      return rows.flatMap((row) => cosines(row, this.anchors.map((at) => rows[at])));
    });
    return Math.max(...a.map((value, at) => Math.abs(value - b[at])));
  }

  /**
   * @param {string} name
   * @param {number} anchor
   * @param {number} a
   * @param {number} b
   */
  bar(name, anchor, a, b) {
    /** @type {(value: number, side: string) => HTMLElement} */
    const line = (value, side) => {
      const start = 50 + Math.min(0, value) * 50;
      return el("i", { class: `fill${side}`, style: `left: ${start}%; width: ${Math.abs(value) * 50}%` });
    };
    const icon = el("canvas", { class: "icon", width: 56, height: 56, "aria-hidden": "true" });
    if (this.sheet) drawItem(contextOf(icon), this.sheet, this.rows[anchor], 28, 28, 56);
    return el(
      "div",
      { class: "posebar", role: "img", "aria-label": `Cosine to ${name}: ${a.toFixed(2)} in A, ${b.toFixed(2)} in B`, "data-a": a.toFixed(4), "data-b": b.toFixed(4) },
      icon,
      el("div", { class: "tube" }, line(a, "A"), line(b, "B")),
      el("div", { class: "numbers" }, el("span", { class: "sideA" }, a.toFixed(2)), el("span", { class: "sideB" }, b.toFixed(2))),
    );
  }

  // --- the panes

  /**
   * Where a place is on a pane: x, y, and how near it is to the eye.
   * @param {Vector} place
   * @param {number} width
   * @param {number} height
   * @returns {Projected}
   */
  project([x, y, z = 0], width, height) {
    const unit = Math.min(width, height) / 2 / ("shift" in this.values ? REACH_SHIFTED : REACH);
    let [right, up, near] = [x, y, 0];
    if (this.solid) {
      const [tilt, spin] = this.memory.view;
      [right, up, near] = rotation(spin, 3, [0, 1, 0]).map((row) => row[0] * x + row[1] * y + row[2] * z);
      const [, second, third] = rotation(-tilt, 3, [1, 0, 0]);
      [up, near] = [second[1] * up + second[2] * near, third[1] * up + third[2] * near];
    }
    return { x: width / 2 + right * unit, y: height / 2 - up * unit, near };
  }

  /**
   * @param {Pane} pane
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  drawPane(pane, context, width, height) {
    if (!this.spaces) return;
    const { places, middle } = this.spaces[pane.side === "A" ? 0 : 1];
    const colors = palette(pane.canvas);
    /** @param {Vector} place */
    const at = (place) => this.project(place, width, height);
    const center = at(middle);
    this.drawGround(context, at, colors, width, height);
    /** @type {(place: Vector, color: string) => void} */
    const ray = (place, color) => {
      const to = at(place);
      Object.assign(context, { strokeStyle: color, lineWidth: 2.5 });
      context.beginPath();
      context.moveTo(center.x, center.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    };
    for (const anchor of this.anchors) ray(places[anchor], colors.anchor);
    ray(places[this.memory.item], colors.ink);
    const order = places.map((place, item) => ({ item, ...at(place) })).sort((one, other) => one.near - other.near);
    pane.drawn = order;
    const size = Math.max(20, Math.min(width, height) / 10.5);
    for (const { item, x, y, near } of order) this.drawOne(context, colors, item, x, y, size * (1 + 0.25 * near));
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} colors
   * @param {number} item
   * @param {number} x
   * @param {number} y
   * @param {number} size
   */
  drawOne(context, colors, item, x, y, size) {
    const chosen = item === this.memory.item;
    const anchor = this.anchors.includes(item);
    const side = chosen ? size * 1.25 : size;
    if (chosen || anchor) {
      context.fillStyle = colors.paper;
      context.strokeStyle = chosen ? colors.ink : colors.anchor;
      context.lineWidth = 2.5;
      context.beginPath();
      context.roundRect(x - side / 2 - 3, y - side / 2 - 3, side + 6, side + 6, 7);
      context.fill();
      context.stroke();
    }
    if (this.sheet) drawItem(context, this.sheet, this.rows[item], x, y, side);
  }

  /**
   * Axes, and in three dimensions a ball, so that the depth can be seen.
   * @param {CanvasRenderingContext2D} context
   * @param {(place: Vector) => Projected} at
   * @param {Palette} colors
   * @param {number} width
   * @param {number} height
   */
  drawGround(context, at, colors, width, height) {
    Object.assign(context, { strokeStyle: colors.line, lineWidth: 1 });
    const axes = this.solid ? [[1, 0, 0], [0, 1, 0], [0, 0, 1]] : [[3, 0], [0, 3]];
    context.beginPath();
    for (const end of axes) {
      const [from, to] = [at(end.map((part) => -part)), at(end)];
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
    }
    if (this.solid) {
      const middle = at([0, 0, 0]);
      const radius = Math.min(width, height) / 2 / REACH;
      context.moveTo(middle.x + radius, middle.y);
      context.arc(middle.x, middle.y, radius, 0, 2 * Math.PI);
    }
    context.stroke();
  }

  /**
   * @param {Pane} pane
   * @param {PointerEvent} event
   */
  grab(pane, event) {
    pane.canvas.setPointerCapture(event.pointerId);
    this.grabbed = { x: event.clientX, y: event.clientY, moved: 0 };
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.grabbed || !this.solid) return;
    const [dx, dy] = [event.clientX - this.grabbed.x, event.clientY - this.grabbed.y];
    Object.assign(this.grabbed, { x: event.clientX, y: event.clientY, moved: this.grabbed.moved + Math.abs(dx) + Math.abs(dy) });
    this.turnView(dy / 2, dx / 2);
  }

  /**
   * @param {Pane} pane
   * @param {PointerEvent} event
   */
  drop(pane, event) {
    if ((this.grabbed && this.grabbed.moved < 6) || !this.solid) {
      const box = pane.canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      const near = pane.drawn?.map(({ item, ...one }) => ({ item, far: Math.hypot(one.x - x, one.y - y) }));
      const nearest = near?.sort((one, other) => one.far - other.far)[0];
      if (nearest && nearest.far < 40) this.choose(nearest.item);
    }
    this.grabbed = undefined;
  }

  /**
   * @param {number} tilt
   * @param {number} spin
   */
  turnView(tilt, spin) {
    const [before, around] = this.memory.view;
    this.memory.view = [Math.max(-85, Math.min(85, before - tilt)), around + spin];
    for (const pane of this.panes) pane.stage.paint();
  }

  paint() {
    if (!this.spaces) return;
    this.fill();
    for (const pane of this.panes) pane.stage.paint();
  }

  release() {
    for (const pane of this.panes) pane.stage.release();
  }
}
