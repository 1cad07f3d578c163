// The relative vector of one item worked out: its cosine to each anchor in A, beside that of an item in B.

import { el } from "./dom.js";
import { tile } from "./tiles.js";
/** @import { Sheet } from "./arrays.js" */
/** @import { Values } from "./controls.js" */
/** @import { Child } from "./dom.js" */
/** @import { About } from "./pictures.js" */

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * The cosine of two vectors.
 * @param {number[]} one
 * @param {number[]} other
 */
export function cosine(one, other) {
  /** @param {number[]} vector */
  const length = (vector) => Math.sqrt(sum(vector.map((value) => value * value))) || 1;
  return sum(one.map((value, at) => value * other[at])) / (length(one) * length(other));
}

/**
 * A number with two digits and a true minus.
 * @param {number} value
 */
const written = (value) => (Math.abs(value) < 0.005 ? "0.00" : value.toFixed(2).replace("-", "−"));

export class VectorPicture {
  /**
   * @param {HTMLElement} stage
   * @param {About & { sheet: Sheet }} about
   */
  constructor(stage, { texts, arrays, sheet }) {
    this.names = texts.items;
    this.arrays = arrays;
    this.sheet = sheet;
    this.who = el("p", { class: "vectorwho" });
    this.rows = el("div", { class: "vector" });
    this.said = el("p", { class: "vectorsum", "aria-live": "polite" });
    stage.append(this.who, this.rows, this.said);
  }

  /** @param {Values} values */
  set(values) {
    const { queries, candidates } = this.arrays;
    const at = Number(values.item ?? 1) - 1;
    const own = queries[at];
    const other = values.with === "other" ? queries[(at + 1) % queries.length] : own;
    /** @type {(name: string, number: number) => number[]} */
    const row = (name, number) => [...this.arrays[name].subarray(number * candidates.length, (number + 1) * candidates.length)];
    const [a, b] = [row("in_a", at), row("in_b", other)];
    /** @type {(side: string, number: number) => Child[]} */
    const item = (side, number) => [el("b", { class: `side${side}` }, `Model ${side}: `), tile(this.sheet, number, 40, this.names[number]), ` ${this.names[number]}`];
    this.who.replaceChildren(el("span", {}, item("A", own)), el("span", {}, item("B", other)));
    const reach = Math.max(...a.map(Math.abs), ...b.map(Math.abs)) || 1; // bars are as wide as there is room
    this.rows.replaceChildren(
      ...[...candidates].map((anchor, place) => {
        const [x, y] = [a[place], b[place]];
        /** @type {(side: string, value: number) => HTMLElement} */
        const fill = (side, value) => el("i", { class: `fill${side}`, style: `left: ${50 + (value < 0 ? (50 * value) / reach : 0)}%; width: ${(50 * Math.abs(value)) / reach}%` });
        const said = `Cosine to ${this.names[anchor]}: ${written(x)} in A, ${written(y)} in B`;
        return el("div", { class: "posebar", role: "img", "aria-label": said, title: said }, tile(this.sheet, anchor, 26), el("div", { class: "tube" }, fill("A", x), fill("B", y)), el("div", { class: "numbers" }, el("span", { class: "sideA" }, written(x)), el("span", { class: "sideB" }, written(y))));
      }),
    );
    const like = cosine(a, b);
    this.said.replaceChildren(`Relative vector in A: (${a.slice(0, 4).map((value) => written(value)).join(", ")}, …). Cosine of both vectors: `, el("b", { class: "big", "data-cosine": like.toFixed(4) }, written(like)));
  }
}
