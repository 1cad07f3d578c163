// Items as rows of text: what each finds in the other space, and the lists of one of them.

import { el } from "./dom.js";
import { ExampleRows } from "./example_rows.js";
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */

/** An item, and what B finds for it: in the original spaces, or through so many anchors. */
export class ExamplesPicture {
  through = 0; // of the numbers of anchors

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   * @param {{ first: number }} memory
   */
  constructor(stage, { texts, arrays, facts }, memory) {
    this.items = texts.items;
    this.arrays = arrays;
    this.facts = facts;
    this.memory = memory;
    this.summary = el("p", { class: "small", "aria-live": "polite" });
    this.examples = new ExampleRows(["Model A is shown", "Model B finds", ""], arrays.queries.length, (at) => this.rowOf(at), memory);
    stage.append(el("div", { class: "bar" }, this.summary, el("span", { class: "gap" }), this.examples.more), this.examples.box);
  }

  /** @param {Values} values */
  set(values) {
    this.through = [...this.arrays.through].indexOf(Number(values.anchors ?? 0));
    this.fill();
  }

  /** @param {number} at */
  rowOf(at) {
    const { queries, found } = this.arrays;
    const [own, answer] = [queries[at], found[this.through * queries.length + at]];
    const right = own === answer;
    return el("tr", { class: right ? "right" : "" }, el("td", {}, this.items[own]), el("td", {}, this.items[answer]), el("td", { class: "mark" }, right ? "✓" : "✗"));
  }

  fill() {
    this.examples.fill();
    const share = this.facts[`found_${this.arrays.through[this.through]}`];
    const percent = `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
    const among = this.facts.queries.toLocaleString("en-US");
    this.summary.replaceChildren(el("b", { class: "big", "data-share": share.toFixed(4) }, percent), ` of ${among} items find their counterpart`);
  }

  release() {
    this.examples.release();
  }
}

/**
 * The word that a definition belongs to; a text without one is shown whole.
 * @param {string} text
 */
const wordOf = (text) => text.split(": ")[0];

/** The nearest of one item, beside those that are expected: rank, reciprocal rank and overlap. */
export class ListsPicture {
  /**
   * @param {HTMLElement} stage
   * @param {About} about
   */
  constructor(stage, { texts, arrays, facts }) {
    this.items = texts.items;
    this.arrays = arrays;
    this.facts = facts;
    this.box = el("div", { class: "lists" });
    this.sums = el("div", { class: "sums", "aria-live": "polite" });
    stage.append(this.box, this.sums);
  }

  /** @param {Values} values */
  set(values) {
    const at = Number(values.item ?? 1) - 1;
    const { queries, found, expected, ranks, overlap } = this.arrays;
    const k = found.shape[1];
    const own = queries[at];
    const [ours, theirs] = [found, expected].map((rows) => [...rows.subarray(at * k, (at + 1) * k)]);
    /** @type {(title: string, rows: number[], others: number[]) => HTMLElement} */
    const list = (title, rows, others) =>
      el(
        "div",
        {},
        el("h3", {}, title),
        el("ol", {}, rows.map((row) => el("li", { title: this.items[row], class: row === own ? "right" : others.includes(row) ? "shared" : "" }, wordOf(this.items[row]), row === own ? " ✓" : ""))),
      );
    this.box.replaceChildren(
      el("p", { class: "asked" }, el("b", {}, "Item: "), this.items[own]),
      list("Nearest in B to A's vector", ours, theirs),
      list("Nearest in B to the counterpart", theirs, ours),
    );
    const rank = ranks[at];
    const union = 2 * k - overlap[at];
    /** @type {(name: string, how: string, value: string, mean: number) => HTMLElement} */
    const sum = (name, how, value, mean) => el("div", {}, el("b", {}, name), el("span", {}, how), el("b", { class: "value" }, value), el("span", {}, `mean ${mean.toFixed(2)}`));
    this.sums.replaceChildren(
      sum("Top-1", rank === 1 ? "rank 1: found" : `rank ${rank}: not first`, rank === 1 ? "1" : "0", this.facts.top1),
      sum("MRR", `1 / rank = 1 / ${rank}`, (1 / rank).toFixed(2), this.facts.mrr),
      sum("Jaccard", `${overlap[at]} shared of ${union}`, (overlap[at] / union).toFixed(2), this.facts.jaccard),
    );
  }
}
