// A metric over the number of anchors, or over another choice, drawn as far as the slider has come, with its controls.

import { el } from "./dom.js";
import { Stage, captionFont, palette } from "./stage.js";

/** Room for words around the curves, in letters' sizes. */
const MARGIN = { left: 3.9, right: 1.7, top: 1.1, bottom: 3.2 };

/** A place on the axis, without the tail of a single-precision number. */
const shortly = (value) => String(Number(value.toPrecision(4)));

export class CurvePicture {
  constructor(stage, { texts, arrays, options }, memory) {
    Object.assign(this, { texts, arrays, memory, options });
    memory.reached ??= 0;
    this.canvas = el("canvas", { role: "img" });
    this.legend = el("div", { class: "legend", "aria-live": "polite" });
    stage.append(el("figure", { class: "chart" }, this.legend, this.canvas));
    this.stage = new Stage(this.canvas, (context, width, height) => this.draw(context, width, height));
  }

  set(values) {
    this.metric = values.metric ?? "top1";
    const x = [...this.arrays.x];
    const asked = Number(Object.entries(values).find(([name]) => name !== "metric")?.[1] ?? x[0]);
    this.at = Math.max(0, x.findIndex((value) => Math.abs(value - asked) < 1e-4));
    this.memory.reached = Math.max(this.memory.reached, this.at);
    this.fillLegend();
    this.paint();
  }

  line(number) {
    const many = this.arrays.x.length;
    return [...this.arrays[this.metric].subarray(number * many, (number + 1) * many)];
  }

  fillLegend() {
    const parts = this.texts.lines.map((name, number) => {
      const value = this.line(number)[this.at];
      if (Number.isNaN(value)) return null;
      const shown = this.metric === "top1" ? `${(100 * value).toFixed(value < 0.1 ? 1 : 0)}%` : value.toFixed(3);
      return el("span", { class: `line${number}`, "data-value": value.toFixed(4) }, el("i", {}), `${name} `, el("b", {}, shown));
    });
    this.legend.replaceChildren(...parts.filter(Boolean));
    const said = parts.filter(Boolean).map((part) => part.textContent).join("; ");
    this.canvas.setAttribute("aria-label", `${this.texts.x[0]} ${shortly(this.arrays.x[this.at])}: ${said}`);
  }

  draw(context, width, height) {
    if (this.at === undefined) return;
    const colors = palette(this.canvas);
    const letter = parseFloat(captionFont(this.canvas));
    const margin = Object.fromEntries(Object.entries(MARGIN).map(([side, share]) => [side, share * letter]));
    const { x } = this.arrays;
    const lines = this.texts.lines.map((_, number) => this.line(number));
    const most = Math.max(0.01, ...lines.flat().filter((value) => !Number.isNaN(value)));
    const top = [0.25, 0.5, 0.75, 1, 2, 3].find((one) => one >= most) ?? most;
    const scaled = this.texts.scale?.[0] === "linear" ? (value) => value : Math.log;
    const [first, last] = [scaled(x[0]), scaled(x.at(-1))];
    const px = (value) => margin.left + ((scaled(value) - first) / (last - first)) * (width - margin.left - margin.right);
    const py = (value) => height - margin.bottom - (value / top) * (height - margin.top - margin.bottom);
    this.axes(context, colors, width, height, { px, py, top, x, margin, letter });
    const inks = [colors.b, colors.anchor, colors.quiet];
    lines.forEach((values, number) => this.drawLine(context, values, inks[number], px, py, number === 2));
  }

  axes(context, colors, width, height, { px, py, top, x, margin, letter }) {
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
    context.moveTo(px(x[this.at]), margin.top);
    context.lineTo(px(x[this.at]), height - margin.bottom);
    context.stroke();
    context.setLineDash([]);
  }

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
