// A table of examples that shows as many rows as its box has room for, and others on request.

import { el } from "./dom.js";
/** @import { Attributes } from "./dom.js" */

const FEWEST = 5;
const MOST = 14;
const PHONE = "(max-width: 820px)";

/** `rowOf(at)` makes the row of the example `at` of `many`; `memory.first` is the first that is shown. */
export class ExampleRows {
  shown = 0;

  /**
   * @param {string[]} headings
   * @param {number} many
   * @param {(at: number) => HTMLElement} rowOf
   * @param {{ first: number }} memory
   * @param {Attributes} [about]
   */
  constructor(headings, many, rowOf, memory, about = {}) {
    this.many = many;
    this.rowOf = rowOf;
    this.memory = memory;
    memory.first ??= 0;
    this.more = el("button", { type: "button", class: "quiet", onclick: () => this.next() });
    this.body = el("tbody", {});
    const heads = headings.map((text) => el("th", {}, text));
    this.box = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Examples" }, el("table", about, el("thead", {}, el("tr", {}, heads)), this.body));
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.box);
  }

  fill() {
    const rows = Math.min(MOST, this.many);
    this.body.replaceChildren(...Array.from({ length: rows }, (_, line) => this.rowOf((this.memory.first + line) % this.many)));
    this.fit();
  }

  fit() {
    const rows = /** @type {HTMLElement[]} */ ([...this.body.children]);
    for (const row of rows) row.hidden = false;
    const end = this.box.getBoundingClientRect().top + this.box.clientHeight + 1;
    const roomy = matchMedia(PHONE).matches ? 0 : rows.filter((row) => row.getBoundingClientRect().bottom <= end).length;
    const shown = Math.min(rows.length, Math.max(FEWEST, roomy));
    this.shown = shown;
    rows.forEach((row, line) => (row.hidden = line >= shown));
    this.more.textContent = `Draw ${this.shown} others`;
  }

  next() {
    this.memory.first = (this.memory.first + this.shown) % this.many;
    this.fill();
  }

  release() {
    this.observer.disconnect();
  }
}
