// A metric over the number of anchors, or over another choice, drawn as far as the slider has come, with its controls.

import { el } from "./dom.js";
import { Stage, captionFont, palette } from "./stage.js";
/** @import { Shaped } from "./arrays.js" */
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */
/** @import { Palette } from "./stage.js" */

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Margin */
/** @typedef {(value: number) => number} Axis from a value to a pixel */
/** @typedef {{ px: Axis, py: Axis, top: number, x: Shaped, at: number, margin: Margin, letter: number }} Scales */

/** Room for words around the curves, in letters' sizes. */
const MARGIN = { left: 3.9, right: 1.7, top: 1.1, bottom: 3.2 };

/**
 * A place on the axis, without the tail of a single-precision number.
 * @param {number} value
 */
const shortly = (value) => String(Number(value.toPrecision(4)));

export class CurvePicture {
  metric = "top1";
  /** @type {number | undefined} the place that is shown */ at;

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   * @param {{ reached: number }} memory
   */
  constructor(stage, { texts, arrays, options }, memory) {
    this.texts = texts;
    this.arrays = arrays;
    this.memory = memory;
    this.options = options;
    memory.reached ??= 0;
    this.canvas = el("canvas", { role: "img" });
    this.legend = el("div", { class: "legend", "aria-live": "polite" });
    stage.append(el("figure", { class: "chart" }, this.legend, this.canvas));
    this.stage = new Stage(this.canvas, (context, width, height) => this.draw(context, width, height));
  }

  /** @param {Values} values */
  set(values) {
    this.metric = values.metric ?? "top1";
    const x = [...this.arrays.x];
    const asked = Number(Object.entries(values).find(([name]) => name !== "metric")?.[1] ?? x[0]);
    this.at = Math.max(0, x.findIndex((value) => Math.abs(value - asked) < 1e-4));
    this.memory.reached = Math.max(this.memory.reached, this.at);
    this.fillLegend(this.at);
    this.paint();
  }

  /** @param {number} number */
  line(number) {
    const many = this.arrays.x.length;
    return [...this.arrays[this.metric].subarray(number * many, (number + 1) * many)];
  }

  /** @param {number} at */
  fillLegend(at) {
    const parts = this.texts.lines.map((name, number) => {
      const value = this.line(number)[at];
      if (Number.isNaN(value)) return null;
      const shown = this.metric === "top1" ? `${(100 * value).toFixed(value < 0.1 ? 1 : 0)}%` : value.toFixed(3);
      return el("span", { class: `line${number}`, "data-value": value.toFixed(4) }, el("i", {}), `${name} `, el("b", {}, shown));
    });
    const shown = parts.filter((part) => part !== null);
    this.legend.replaceChildren(...shown);
    const said = shown.map((part) => part.textContent).join("; ");
    this.canvas.setAttribute("aria-label", `${this.texts.x[0]} ${shortly(this.arrays.x[at])}: ${said}`);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  draw(context, width, height) {
    const { at } = this;
    if (at === undefined) return;
    const colors = palette(this.canvas);
    const letter = parseFloat(captionFont(this.canvas));
    const margin = { left: MARGIN.left * letter, right: MARGIN.right * letter, top: MARGIN.top * letter, bottom: MARGIN.bottom * letter };
    const { x } = this.arrays;
    const lines = this.texts.lines.map((_, number) => this.line(number));
    const most = Math.max(0.01, ...lines.flat().filter((value) => !Number.isNaN(value)));
    const top = [0.25, 0.5, 0.75, 1, 2, 3].find((one) => one >= most) ?? most;
    /** @type {Axis} */
    const scaled = this.texts.scale?.[0] === "linear" ? (value) => value : Math.log;
    const [first, last] = [scaled(x[0]), scaled(x[x.length - 1])];
    /** @type {Axis} */
    const px = (value) => margin.left + ((scaled(value) - first) / (last - first)) * (width - margin.left - margin.right);
    /** @type {Axis} */
    const py = (value) => height - margin.bottom - (value / top) * (height - margin.top - margin.bottom);
    this.axes(context, colors, width, height, { px, py, top, x, at, margin, letter });
    const inks = [colors.b, colors.anchor, colors.quiet];
    lines.forEach((values, number) => this.drawLine(context, values, inks[number], px, py, number === 2));
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Palette} colors
   * @param {number} width
   * @param {number} height
   * @param {Scales} scales
   */
  axes(context, colors, width, height, { px, py, top, x, at, margin, letter }) {
    Object.assign(context, { strokeStyle: colors.line, fillStyle: colors.quiet, lineWidth: 1, font: captionFont(this.canvas) });
    context.textAlign = "right";
    const ticks = top === 0.75 ? 3 : 5;
    for (let tick = 0; tick <= ticks; tick++) {
      const value = (top * tick) / ticks;
      context.beginPath();
      context.moveTo(margin.left, py(value));
      context.lineTo(width - margin.right, py(value));
      context.stroke();
      context.fillText(this.metric === "top1" ? `${Math.round(100 * value)}%` : value.toFixed(2), margin.left - 8, py(value) + 4);
    }
    context.textAlign = "center";
    let free = -Infinity;
    for (const value of x) {
      const half = context.measureText(shortly(value)).width / 2 + 3;
      if (px(value) - half < free) continue; // no room beside the one before
      context.fillText(shortly(value), px(value), height - margin.bottom + 1.3 * letter);
      free = px(value) + half;
    }
    context.fillText(this.texts.x[0], (margin.left + width - margin.right) / 2, height - 8);
    context.strokeStyle = colors.quiet;
    context.setLineDash([4, 4]);
    context.beginPath();
    context.moveTo(px(x[at]), margin.top);
    context.lineTo(px(x[at]), height - margin.bottom);
    context.stroke();
    context.setLineDash([]);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number[]} values
   * @param {string} ink
   * @param {Axis} px
   * @param {Axis} py
   * @param {boolean} dashed
   */
  drawLine(context, values, ink, px, py, dashed) {
    const { x } = this.arrays;
    Object.assign(context, { strokeStyle: ink, fillStyle: ink, lineWidth: 2.5 });
    context.setLineDash(dashed ? [2, 4] : []);
    context.beginPath();
    for (let at = 0; at <= this.memory.reached; at++) {
      if (at) context.lineTo(px(x[at]), py(values[at]));
      else context.moveTo(px(x[at]), py(values[at]));
    }
    context.stroke();
    context.setLineDash([]);
    for (let at = 0; at <= this.memory.reached; at++) {
      if (Number.isNaN(values[at])) continue;
      context.beginPath();
      context.arc(px(x[at]), py(values[at]), at === this.at ? 6 : 3, 0, 2 * Math.PI);
      context.fill();
    }
  }

  paint() {
    this.stage.paint();
  }

  release() {
    this.stage.release();
  }
}
