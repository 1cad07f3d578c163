// The same items on a map of either space; an item, and its nearest in the original dimensions, on both.

import { writeClasses } from "./class_names.js";
import { el } from "./dom.js";
import { Stage, palette } from "./stage.js";
/** @import { Place } from "./class_names.js" */
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */

/** @typedef {{ side: 0 | 1, layout?: number, canvas: HTMLCanvasElement, note: HTMLElement, box: HTMLElement, stage: Stage, at?: (item: number) => Place }} Pane */
/** @typedef {[low: number, high: number]} Range */

const SIDES = /** @type {const} */ (["A", "B"]);
const NEAR_PIXELS = 24;
const EDGE = 14;
/** Pixels of width from which a pane has room for names of classes. */
const NAMED_FROM = 240;

export class MapsPicture {
  layout = 0; // the one that is chosen
  /** @type {Range[][][]} of a layout and side both axes */ boxes;

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   * @param {{ item: number }} memory
   */
  constructor(stage, { texts, arrays, options }, memory) {
    this.texts = texts;
    this.arrays = arrays;
    this.memory = memory;
    memory.item ??= Math.floor(texts.items.length / 3);
    this.chosen = SIDES.map((side) => this.pane(side));
    this.multiples = options.show === "anchors" ? texts.layouts.flatMap((_, layout) => SIDES.map((side) => this.pane(side, layout))) : [];
    this.panes = this.chosen;
    this.grid = el("div", { class: "panes" }, this.chosen.map((pane) => pane.box));
    this.said = el("p", { class: "small itemline", "aria-live": "polite" });
    const another = el("button", { type: "button", class: "quiet", onclick: () => this.choose((memory.item * 7 + 11) % texts.items.length) }, "Another item");
    stage.append(this.grid, el("div", { class: "bar" }, this.said, el("span", { class: "gap" }), another));
  }

  /**
   * A map of one side: of the layout that is chosen, or always of the same one.
   * @param {"A" | "B"} side
   * @param {number} [layout]
   * @returns {Pane}
   */
  pane(side, layout) {
    const through = layout === undefined ? "" : `, ${this.texts.layouts[layout]} anchors`;
    const canvas = el("canvas", { role: "img", "aria-label": `Map of model ${side}${through}` });
    const note = el("span", {});
    const title = el("b", { class: `side${side}` }, `Model ${side}${through}`);
    const stage = new Stage(canvas, (context, width, height) => this.drawPane(pane, context, width, height));
    /** @type {Pane} */
    const pane = { side: side === "A" ? 0 : 1, layout, canvas, note, stage, box: el("figure", {}, el("figcaption", {}, title, note), canvas) };
    /** @param {PointerEvent} event */
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      const item = this.nearest(pane, event.clientX - box.left, event.clientY - box.top);
      if (item >= 0 && item !== this.memory.item) this.choose(item);
    };
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerdown", point);
    return pane;
  }

  /** @param {Values} values */
  set(values) {
    const chosen = Object.values(values).find((value) => this.texts.layouts.includes(value));
    this.layout = chosen === undefined ? 0 : this.texts.layouts.indexOf(chosen);
    this.boxes = this.texts.layouts.map((_, layout) => [0, 1].map((side) => this.frame(side, layout)));
    const all = values.all === "on";
    this.panes = all ? this.multiples : this.chosen;
    this.grid.classList.toggle("multiples", all);
    this.grid.replaceChildren(...this.panes.map((pane) => pane.box));
    this.choose(this.memory.item);
  }

  /** @param {number} item */
  choose(item) {
    this.memory.item = item;
    const { items } = this.texts;
    this.said.replaceChildren("Item: ", el("b", {}, items[item]));
    this.said.title = items[item];
    for (const pane of this.panes) {
      const share = this.onMap(pane, item);
      pane.note.textContent = `${share} of 10 kept`;
    }
    this.paint();
  }

  /**
   * How many of the nearest in the original dimensions are among the nearest on the map.
   * @param {Pane} pane
   * @param {number} item
   */
  onMap(pane, item) {
    const places = this.places(pane.side, this.layoutOf(pane));
    const own = places(item);
    const far = Array.from({ length: this.texts.items.length }, (_, other) => [other, Math.hypot(places(other)[0] - own[0], places(other)[1] - own[1])]);
    const nearest = far.filter(([other]) => other !== item).sort((one, other) => one[1] - other[1]).slice(0, 10).map(([other]) => other);
    return this.neighbors(pane.side, item).filter((other) => nearest.includes(other)).length;
  }

  /**
   * @param {number} side
   * @param {number} item
   */
  neighbors(side, item) {
    const [, n, k] = this.arrays.neighbors.shape;
    const start = (side * n + item) * k;
    return [...this.arrays.neighbors.subarray(start, start + k)];
  }

  /** @param {Pane} pane */
  layoutOf(pane) {
    return pane.layout ?? this.layout;
  }

  /**
   * @param {number} side
   * @param {number} layout
   * @returns {(item: number) => Place}
   */
  places(side, layout) {
    const { points } = this.arrays;
    const n = points.shape[2];
    const start = (layout * 2 + side) * n * 2;
    return (item) => [points[start + 2 * item], points[start + 2 * item + 1]];
  }

  /**
   * What of the plane a pane shows: nearly all points, the same part in both where they are fitted jointly.
   * @param {number} side
   * @param {number} layout
   * @returns {Range[]}
   */
  frame(side, layout) {
    const places = this.places(side, layout);
    const n = this.texts.items.length;
    return [0, 1].map((axis) => {
      const values = Float32Array.from({ length: n }, (_, item) => places(item)[axis]).sort();
      return [values[Math.floor(0.003 * n)], values[Math.ceil(0.997 * n) - 1]];
    });
  }

  /**
   * @param {Pane} pane
   * @param {number} width
   * @param {number} height
   * @returns {(item: number) => Place}
   */
  project(pane, width, height) {
    const layout = this.layoutOf(pane);
    const joint = this.texts.layouts[layout] !== "separately";
    const both = this.boxes[layout];
    const boxes = joint ? both : [both[pane.side]];
    const [xs, ys] = [0, 1].map((axis) => [Math.min(...boxes.map((box) => box[axis][0])), Math.max(...boxes.map((box) => box[axis][1]))]);
    const scale = Math.min((width - 2 * EDGE) / (xs[1] - xs[0]), (height - 2 * EDGE) / (ys[1] - ys[0]));
    const places = this.places(pane.side, layout);
    return (item) => {
      const [x, y] = places(item);
      return [width / 2 + (x - (xs[0] + xs[1]) / 2) * scale, height / 2 - (y - (ys[0] + ys[1]) / 2) * scale];
    };
  }

  /**
   * @param {Pane} pane
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  drawPane(pane, context, width, height) {
    if (!this.boxes) return;
    const { side } = pane;
    const colors = palette(pane.canvas);
    const at = this.project(pane, width, height);
    pane.at = at;
    context.globalAlpha = 0.6;
    for (let item = 0; item < this.texts.items.length; item++) {
      const [x, y] = at(item);
      context.fillStyle = colors.classes[this.arrays.classes[item] % colors.classes.length];
      context.fillRect(x - 1.8, y - 1.8, 3.6, 3.6);
    }
    context.globalAlpha = 1;
    if (width >= NAMED_FROM) writeClasses(context, pane.canvas, colors, this.arrays.classes, this.texts.classes, at);
    const own = at(this.memory.item);
    Object.assign(context, { strokeStyle: colors.ink, fillStyle: colors.ink, lineWidth: 1.2 });
    for (const other of this.neighbors(side, this.memory.item)) {
      const to = at(other);
      context.beginPath();
      context.moveTo(...own);
      context.lineTo(...to);
      context.stroke();
      context.beginPath();
      context.arc(...to, 3.2, 0, 2 * Math.PI);
      context.fill();
    }
    context.fillStyle = colors.anchor;
    context.beginPath();
    context.arc(...own, 6.5, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }

  /**
   * @param {Pane} pane
   * @param {number} x
   * @param {number} y
   */
  nearest(pane, x, y) {
    if (!pane.at) return -1;
    let [best, found] = [NEAR_PIXELS, -1];
    for (let item = 0; item < this.texts.items.length; item++) {
      const [px, py] = pane.at(item);
      const far = Math.hypot(px - x, py - y);
      if (far < best) [best, found] = [far, item];
    }
    return found;
  }

  paint() {
    for (const pane of this.panes) pane.stage.paint();
  }

  release() {
    for (const pane of [...this.chosen, ...this.multiples]) pane.stage.release();
  }
}

