// Candidates to click, and what is found through those that are chosen: a share, and examples.

import { el } from "./dom.js";
import { nearest, shareFound } from "./retrieval.js";
import { tile } from "./tiles.js";
/** @import { Sheet } from "./arrays.js" */
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */

const SHOWN = 8;
const DIVERSE = 36;

export class DictionaryPicture {
  /** @type {string | undefined} of the controls' values */ key;
  /** @type {Int32Array} what each query finds */ found;

  /**
   * @param {HTMLElement} stage
   * @param {About & { sheet: Sheet }} about
   * @param {{ first: number, chosen?: number[] }} memory
   */
  constructor(stage, { texts, arrays, sheet, facts }, memory) {
    this.names = texts.items;
    this.arrays = arrays;
    this.sheet = sheet;
    this.facts = facts;
    this.memory = memory;
    memory.first ??= 0;
    this.buttons = [...arrays.candidates].map((row, at) =>
      el("button", { type: "button", class: "candidate", "aria-label": this.names[row], title: this.names[row], onclick: () => this.toggle(at) }, tile(sheet, row, 30)),
    );
    this.share = el("b", { class: "big" });
    this.meter = el("i", {});
    this.count = el("span", {});
    this.rows = el("div", { class: "findings" });
    const more = el("button", { type: "button", class: "quiet", onclick: () => this.more() }, `Draw ${SHOWN} others`);
    const none = el("button", { type: "button", class: "quiet", onclick: () => this.choose([]) }, "Remove all");
    stage.append(
      el(
        "div",
        { class: "dictionary" },
        el("div", { class: "chooser" }, el("p", { class: "small" }, el("b", {}, "Anchors: "), this.count, none), el("div", { class: "grid", role: "group", "aria-label": "Anchors" }, this.buttons)),
        el(
          "div",
          { class: "outcome" },
          el("p", { class: "small", "aria-live": "polite" }, this.share, ` of ${facts.queries} other emoji are found`),
          el("div", { class: "meter" }, this.meter),
          el("p", { class: "small heads" }, el("b", {}, "A shows"), el("b", {}, "B finds"), el("span", { class: "gap" }), more),
          this.rows,
        ),
      ),
    );
  }

  /**
   * The controls say which anchors there are: so many, or a named set.
   * @param {Values} values
   */
  set(values) {
    const key = JSON.stringify(values);
    if (key === this.key) return;
    const first = this.key === undefined;
    this.key = key;
    if (first && this.memory.chosen) this.choose(this.memory.chosen);
    else this.choose(wanted(values, this.arrays.candidates.length));
  }

  /** @param {number} at */
  toggle(at) {
    const chosen = [...new Set(this.memory.chosen)];
    this.choose(chosen.includes(at) ? chosen.filter((other) => other !== at) : [...chosen, at]);
  }

  /** @param {number[]} chosen */
  choose(chosen) {
    this.memory.chosen = chosen;
    const { arrays, buttons } = this;
    this.found = nearest(arrays.in_a, arrays.in_b, chosen);
    const share = shareFound(this.found, arrays.queries);
    const percent = 100 * share;
    this.share.textContent = `${percent.toFixed(percent < 10 ? 1 : 0)}%`;
    this.share.dataset.share = share.toFixed(4);
    this.meter.style.width = `${percent}%`;
    this.count.textContent = `${chosen.length} `;
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(chosen.includes(at))));
    this.list();
  }

  more() {
    this.memory.first = (this.memory.first + SHOWN) % this.arrays.queries.length;
    this.list();
  }

  list() {
    const { queries } = this.arrays;
    const lines = Array.from({ length: SHOWN }, (_, line) => {
      const at = (this.memory.first + line) % queries.length;
      const [own, found] = [queries[at], this.found[at]];
      const right = found === own;
      const answer = found < 0 ? el("span", {}, "–") : [tile(this.sheet, found, 34, this.names[found]), el("span", { class: "name" }, this.names[found])];
      return el(
        "div",
        { class: right ? "finding right" : "finding" },
        tile(this.sheet, own, 34, this.names[own]),
        el("span", { class: "name" }, this.names[own]),
        el("span", { class: "arrow", "aria-hidden": "true" }, "→"),
        answer,
        el("span", { class: "mark" }, right ? "✓" : "✗"),
      );
    });
    this.rows.replaceChildren(...lines);
  }
}

/**
 * The candidates that controls ask for, as places; some twice.
 * @param {Values} values
 * @param {number} candidates
 */
export function wanted(values, candidates) {
  /** @param {number} count */
  const first = (count) => Array.from({ length: count }, (_, at) => at);
  /** @type {Record<string, number[]>} */
  const sets = {
    few: first(12),
    twice: [...first(12), ...first(12)],
    more: first(24),
    clocks: first(candidates).slice(DIVERSE),
  };
  return sets[values.set] ?? first(Number(values.anchors ?? 0));
}
