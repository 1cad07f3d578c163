// The shape of an item in both spaces: its similarities to all other items, from the nearest to the farthest.

import { el } from "./dom.js";
import { Stage, captionFont, palette } from "./stage.js";
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */

/** Room for words around the curves, in letters' sizes. */
const MARGIN = { left: 2.4, right: 1.2, top: 1.1, bottom: 2.2 };
/** Letters of a name in the legend at most. */
const LONGEST = 34;

/** @param {string} name */
const short = (name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name);

export class ShapePicture {
  /** @type {number | undefined} */ item;

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   */
  constructor(stage, { texts, arrays }) {
    this.texts = texts;
    this.arrays = arrays;
    this.canvas = el("canvas", { role: "img" });
    this.legend = el("div", { class: "legend shapes", "aria-live": "polite" });
    stage.append(el("figure", { class: "chart" }, this.legend, this.canvas));
    this.stage = new Stage(this.canvas, (context, width, height) => this.draw(context, width, height));
  }

  /** @param {Values} values */
  set(values) {
    this.item = Number(values.item ?? 1) - 1;
    const { items, alike } = this.texts;
    const rank = this.arrays.ranks[this.item];
    const lines = [
      [`A: ${short(items[this.item])}`],
      ["B: the same item, rank ", el("b", { "data-rank": String(rank) }, rank.toLocaleString("en-US"))],
      [`B: most similar, ${rank === 1 ? "the same item" : short(alike[this.item])}`],
    ];
    this.legend.replaceChildren(...lines.map((parts, number) => el("span", { class: `line${number}` }, el("i", {}), ...parts)));
    this.canvas.setAttribute("aria-label", `Sorted similarities of ${items[this.item]}. ${this.legend.textContent}`);
    this.paint();
  }

  /**
   * One of the curves of an item.
   * @param {string} name
   * @param {number} item
   */
  curve(name, item) {
    const many = this.arrays.at.length;
    return [...this.arrays[name].subarray(item * many, (item + 1) * many)];
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  draw(context, width, height) {
    const { item } = this;
    if (item === undefined) return;
    const colors = palette(this.canvas);
    const letter = parseFloat(captionFont(this.canvas));
    const margin = { left: MARGIN.left * letter, right: MARGIN.right * letter, top: MARGIN.top * letter, bottom: MARGIN.bottom * letter };
    const curves = ["in_a", "in_b", "most_alike"].map((name) => this.curve(name, item));
    const at = [...this.arrays.at].map(Math.sqrt); // more room for the nearest
    const [low, high] = [Math.min(...curves.flat()), Math.max(...curves.flat())];
    const nearest = at[0];
    const farthest = at[at.length - 1];
    /** @param {number} value */
    const px = (value) => margin.left + ((value - nearest) / (farthest - nearest)) * (width - margin.left - margin.right);
    /** @param {number} value */
    const py = (value) => height - margin.bottom - ((value - low) / (high - low)) * (height - margin.top - margin.bottom);
    Object.assign(context, { font: captionFont(this.canvas), fillStyle: colors.quiet, strokeStyle: colors.line, lineWidth: 1 });
    context.strokeRect(margin.left, margin.top, width - margin.left - margin.right, height - margin.top - margin.bottom);
    context.textAlign = "left";
    context.fillText("nearest item", margin.left, height - 0.7 * letter);
    context.textAlign = "right";
    context.fillText("farthest item", width - margin.right, height - 0.7 * letter);
    context.save();
    context.translate(1.3 * letter, height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText("similarity", 0, 0);
    context.restore();
    const inks = [colors.b, colors.anchor, colors.quiet];
    curves.forEach((values, number) => {
      Object.assign(context, { strokeStyle: inks[number], lineWidth: number === 2 ? 2 : 3 });
      context.setLineDash(number === 2 ? [2, 4] : []);
      context.beginPath();
      values.forEach((value, place) => context[place ? "lineTo" : "moveTo"](px(at[place]), py(value)));
      context.stroke();
    });
    context.setLineDash([]);
  }

  paint() {
    this.stage.paint();
  }

  release() {
    this.stage.release();
  }
}
