// What two heads say: the own head of model A, and that of model B, which never saw a vector of A.

import { el } from "./dom.js";
import { ExampleRows } from "./example_rows.js";
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */

/** @typedef {[name: string, share: number][]} Predictions */
/** @typedef {{ text: string, own: Predictions, told: Predictions[] }} Opinions */

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(0)}%`;

export class HeadsPicture {
  at = 0; // of the numbers of anchors

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   * @param {{ first: number, reply?: Opinions }} memory
   */
  constructor(stage, { texts, arrays, facts, ask }, memory) {
    this.texts = texts;
    this.arrays = arrays;
    this.facts = facts;
    this.memory = memory;
    this.input = el("input", { type: "text", maxlength: 300, placeholder: "a small dog that is happy to see you", "aria-label": "Your sentence" });
    if (memory.reply?.text) this.input.value = memory.reply.text;
    /** @param {Event} event */
    const send = (event) => {
      event.preventDefault();
      if (this.input.value.trim()) ask({ sentence: this.input.value });
    };
    const form = el("form", { class: "sentence", onsubmit: send }, this.input, el("button", { type: "submit", class: "main" }, "Ask both heads"));
    this.said = el("div", { class: "heads", "aria-live": "polite" });
    this.summary = el("p", { class: "small", "aria-live": "polite" });
    const headings = ["Held-out definition", "A's own head", "B's head"];
    this.examples = new ExampleRows(headings, arrays.truth.length, (at) => this.rowOf(at), memory, { class: "opinions" });
    stage.append(form, this.said, el("div", { class: "bar" }, this.summary, el("span", { class: "gap" }), this.examples.more), this.examples.box);
  }

  /** @param {Values} values */
  set(values) {
    this.at = [...this.arrays.through].indexOf(Number(values.anchors ?? 0));
    this.fill();
  }

  /** @param {Opinions} reply */
  reply(reply) {
    this.memory.reply = reply;
    this.tell();
  }

  /** @param {number} at */
  rowOf(at) {
    const { truth, own, told } = this.arrays;
    const { classes, items } = this.texts;
    /** @param {number} given */
    const cell = (given) => {
      const right = given === truth[at];
      return el("td", { class: right ? "right" : "" }, el("span", { class: "mark" }, right ? "✓ " : "✗ "), classes[given]);
    };
    return el("tr", {}, el("td", { title: items[at] }, items[at]), cell(own[at]), cell(told[this.at * truth.length + at]));
  }

  fill() {
    this.examples.fill();
    const share = this.facts[`right_${this.arrays.through[this.at]}`];
    this.summary.replaceChildren("B's head: ", el("b", { class: "big", "data-share": share.toFixed(4) }, percent(share)), ` right of ${this.facts.tests} definitions; A's own head ${percent(this.facts.own)}`);
    this.tell();
  }

  tell() {
    const { reply } = this.memory;
    if (!reply) return;
    /** @type {(title: string, predictions: Predictions) => HTMLElement} */
    const opinion = (title, predictions) => el("div", {}, el("b", {}, title), predictions.map(([name, share]) => el("span", { class: "opinion" }, el("i", { style: `width: ${100 * share}%` }), el("span", {}, `${name} ${percent(share)}`))));
    this.said.replaceChildren(opinion("A's own head predicts", reply.own), opinion("B's head predicts", reply.told[this.at]));
  }

  release() {
    this.examples.release();
  }
}

/** Accuracy of every encoder with every head: a table, by the chosen method. */
export class MatrixPicture {
  /**
   * @param {HTMLElement} stage
   * @param {About} about
   */
  constructor(stage, { texts, arrays }) {
    this.texts = texts;
    this.arrays = arrays;
    this.body = el("tbody", {});
    const heads = texts.encoders.map((name) => el("th", { scope: "col" }, name));
    this.table = el("table", { class: "matrix" }, el("caption", {}, "Accuracy; rows: encoder, columns: head trained on"), el("thead", {}, el("tr", {}, el("td", {}), heads)), this.body);
    stage.append(el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Stitching matrix" }, this.table));
  }

  /** @param {Values} values */
  set(values) {
    const { encoders, methods } = this.texts;
    const many = encoders.length;
    const start = methods.indexOf(values.method ?? methods[0]) * many * many;
    /** @type {(value: number, own: boolean) => HTMLElement} */
    const cell = (value, own) =>
      Number.isNaN(value)
        ? el("td", { class: "none", title: "The spaces have different numbers of dimensions" }, "impossible")
        : el("td", { class: own ? "own" : "", "data-share": value.toFixed(4), style: `--share: ${(100 * value).toFixed(1)}%` }, percent(value));
    /** @type {(name: string, i: number) => HTMLElement} */
    const row = (name, i) => el("tr", {}, el("th", { scope: "row" }, name), encoders.map((_, j) => cell(this.arrays.accuracy[start + i * many + j], i === j)));
    this.body.replaceChildren(...encoders.map(row));
  }
}
