// A recorded run to scrub: model A's items, those of B on their way to them, and how many matches are right.

import { writeClasses } from "./class_names.js";
import { el } from "./dom.js";
import { Stage, captionFont, palette } from "./stage.js";
/** @import { Place } from "./class_names.js" */
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */

/** @typedef {{ least: number, most: number }} Extent */

const EDGE = 12;
/** Times the extent of A: B begins wider than it ends. */
const ROOM = 1.2;
const CHART = { left: 48, right: 12, top: 12, bottom: 34 };

/**
 * Where A's items lie, which are those of B in the end: `{least, most}` of both axes.
 * @param {ArrayLike<number>} places
 * @param {number} n
 * @returns {Extent[]}
 */
function bounds(places, n) {
  return [0, 1].map((axis) => {
    const found = { least: Infinity, most: -Infinity };
    for (let item = 0; item < n; item++) {
      const place = places[2 * item + axis];
      found.least = Math.min(found.least, place);
      found.most = Math.max(found.most, place);
    }
    if (found.most === found.least) found.most++;
    return found;
  });
}

export class RunsPicture {
  /** @type {string | undefined} */ run;
  share = 1;
  step = 0;

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   */
  constructor(stage, { texts, arrays, facts }) {
    this.texts = texts;
    this.arrays = arrays;
    this.facts = facts;
    /** @type {Record<string, Extent[]>} */
    this.bounds = {};
    this.mapCanvas = el("canvas", { role: "img" });
    this.chartCanvas = el("canvas", { role: "img" });
    this.verdict = el("p", { class: "chip", "aria-live": "polite" });
    this.said = el("p", { class: "small", "aria-live": "polite" });
    stage.append(
      el(
        "div",
        { class: "panes runs" },
        el("figure", {}, el("figcaption", {}, el("span", {}, el("b", {}, "Relative spaces: "), "A in gray, B in color")), this.mapCanvas),
        el("figure", {}, el("figcaption", {}, el("span", {}, el("b", {}, "Right matches "), "after each step")), this.chartCanvas),
      ),
      el("div", { class: "bar" }, this.said, el("span", { class: "gap" }), this.verdict),
    );
    this.stages = [
      new Stage(this.mapCanvas, (context, width, height) => this.drawMap(context, width, height)),
      new Stage(this.chartCanvas, (context, width, height) => this.drawChart(context, width, height)),
    ];
  }

  /** @param {Values} values */
  set(values) {
    const { runs } = this.texts;
    this.run = Object.values(values).find((value) => runs.includes(value)) ?? runs[0];
    this.share = Number(values.progress ?? 100) / 100;
    const right = this.arrays[`right_${this.run}`];
    this.step = Math.round(this.share * (right.length - 1));
    const ended = this.step === right.length - 1;
    const percent = (100 * right[this.step]).toFixed(right[this.step] < 0.1 ? 1 : 0);
    this.said.replaceChildren(`Step ${this.step + 1} of ${right.length}: `, el("b", { "data-right": right[this.step].toFixed(4) }, `${percent}%`), " of the matches are right");
    const accepted = this.facts[`accepted_${this.run}`] === 1;
    this.verdict.textContent = ended ? (accepted ? "Self-check: accepted" : "Self-check: rejected") : "";
    this.verdict.className = ended ? `chip ${accepted ? "good" : "bad"}` : "chip";
    this.mapCanvas.setAttribute("aria-label", `Map at step ${this.step + 1}`);
    this.chartCanvas.setAttribute("aria-label", `${percent}% right at step ${this.step + 1} of ${right.length}`);
    this.paint();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  drawMap(context, width, height) {
    if (!this.run) return;
    const places = this.arrays[`places_${this.run}`];
    const [, n] = places.shape;
    const at = this.arrays[`at_${this.run}`];
    let frame = 0;
    while (frame + 1 < at.length && at[frame + 1] <= this.step + 1) frame++;
    if (this.share === 1) frame = at.length - 1;
    const colors = palette(this.mapCanvas);
    const around = (this.bounds[this.run] ??= bounds(places, n));
    const scale = Math.min(...[width, height].map((side, axis) => (side - 2 * EDGE) / (ROOM * (around[axis].most - around[axis].least))));
    const middle = around.map(({ least, most }) => (least + most) / 2);
    /** @type {(set: number, item: number) => Place} */
    const placeOf = (set, item) => {
      const start = (set * n + item) * 2;
      return [width / 2 + scale * (places[start] - middle[0]), height / 2 - scale * (places[start + 1] - middle[1])];
    };
    /** @type {(set: number, size: number, colorOf: (item: number) => string) => void} */
    const dots = (set, size, colorOf) => {
      for (let item = 0; item < n; item++) {
        context.fillStyle = colorOf(item);
        const [x, y] = placeOf(set, item);
        context.fillRect(x - size / 2, y - size / 2, size, size);
      }
    };
    context.globalAlpha = 0.35;
    dots(0, 4, () => colors.quiet);
    context.globalAlpha = 0.75;
    dots(frame + 1, 3, (item) => colors.classes[this.arrays.classes[item] % colors.classes.length]);
    context.globalAlpha = 1;
    writeClasses(context, this.mapCanvas, colors, this.arrays.classes, this.texts.classes, (item) => placeOf(0, item));
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  drawChart(context, width, height) {
    if (!this.run) return;
    const colors = palette(this.chartCanvas);
    const right = this.arrays[`right_${this.run}`];
    /** @param {number} step */
    const px = (step) => CHART.left + (step / Math.max(1, right.length - 1)) * (width - CHART.left - CHART.right);
    /** @param {number} value */
    const py = (value) => height - CHART.bottom - value * (height - CHART.top - CHART.bottom);
    Object.assign(context, { strokeStyle: colors.line, fillStyle: colors.quiet, lineWidth: 1, textAlign: "right", font: captionFont(this.chartCanvas) });
    for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
      context.beginPath();
      context.moveTo(CHART.left, py(tick));
      context.lineTo(width - CHART.right, py(tick));
      context.stroke();
      context.fillText(`${100 * tick}%`, CHART.left - 6, py(tick) + 4);
    }
    context.textAlign = "center";
    context.fillText("Step", (CHART.left + width) / 2, height - 8);
    Object.assign(context, { strokeStyle: colors.b, fillStyle: colors.b, lineWidth: 2.5 });
    context.beginPath();
    for (let step = 0; step <= this.step; step++) context.lineTo(px(step), py(right[step]));
    context.stroke();
    context.beginPath();
    context.arc(px(this.step), py(right[this.step]), 5, 0, 2 * Math.PI);
    context.fill();
  }

  paint() {
    for (const stage of this.stages) stage.paint();
  }

  release() {
    for (const stage of this.stages) stage.release();
  }
}
