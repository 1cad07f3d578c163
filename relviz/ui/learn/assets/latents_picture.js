// The same digits in the latent spaces of two trainings, each drawn as the digit it is.

import { el } from "./dom.js";
import { Stage, captionFont, palette } from "./stage.js";
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */

/** @typedef {{ canvas: HTMLCanvasElement, title: HTMLElement, note: HTMLElement, seed: number, box: HTMLElement, stage: Stage }} Pane */

const EDGE = 12;

export class LatentsPicture {
  /** @type {string | undefined} the space that is shown */ codes;

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   */
  constructor(stage, { arrays, facts }) {
    this.arrays = arrays;
    this.facts = facts;
    this.panes = [0, 1].map((place) => this.pane(place));
    stage.append(el("div", { class: "panes" }, this.panes.map((pane) => pane.box)));
  }

  /**
   * @param {number} place
   * @returns {Pane}
   */
  pane(place) {
    const canvas = el("canvas", { role: "img" });
    const title = el("b", { class: place ? "sideB" : "sideA" });
    const note = el("span", { "aria-live": "polite" });
    const stage = new Stage(canvas, (context, width, height) => this.draw(pane, context, width, height));
    const pane = { canvas, title, note, seed: 0, stage, box: el("figure", {}, el("figcaption", {}, title, note), canvas) };
    return pane;
  }

  /** @param {Values} values */
  set(values) {
    this.codes = values.codes ?? "absolute";
    const training = Number(values.training ?? 2);
    const [first, other] = this.panes;
    other.seed = training - 1;
    for (const { at, pane } of [{ at: 1, pane: first }, { at: training, pane: other }]) {
      pane.title.textContent = `Training ${at}`;
      pane.canvas.setAttribute("aria-label", `Digits in the ${this.codes} space of training ${at}`);
      pane.stage.paint();
    }
    const apart = this.facts[`apart_${this.codes}_${training}`];
    other.note.replaceChildren("counterparts at ", el("b", { "data-apart": apart.toFixed(4) }, apart.toFixed(2)), " of the median distance");
  }

  /**
   * @param {Pick<Pane, "canvas" | "seed">} pane
   * @param {CanvasRenderingContext2D} context
   * @param {number} width
   * @param {number} height
   */
  draw({ canvas, seed }, context, width, height) {
    if (!this.codes) return;
    const places = this.arrays[this.codes];
    const [, n] = places.shape;
    const colors = palette(canvas);
    const scale = Math.min(width, height) / 2 - EDGE;
    Object.assign(context, { font: captionFont(canvas), textAlign: "center", textBaseline: "middle" });
    for (let item = 0; item < n; item++) {
      const digit = this.arrays.classes[item];
      context.fillStyle = colors.classes[digit % colors.classes.length];
      const at = 2 * (seed * n + item);
      context.fillText(String(digit), width / 2 + places[at] * scale, height / 2 - places[at + 1] * scale);
    }
  }

  release() {
    for (const pane of this.panes) pane.stage.release();
  }
}
