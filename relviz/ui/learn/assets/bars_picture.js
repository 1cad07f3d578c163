// Shares as bars: those of the choices that were looked at, or the evidence of a verdict with its thresholds.

import { el } from "./dom.js";
/** @import { Values } from "./controls.js" */
/** @import { About } from "./pictures.js" */

/**
 * A bar with its name; `asked` is a threshold that is marked.
 * @param {string} name
 * @param {number} value
 * @param {number} most
 * @param {string} said
 * @param {{ asked?: number, chosen?: boolean }} about
 */
function bar(name, value, most, said, { asked, chosen = false } = {}) {
  /** @param {number} share */
  const width = (share) => `${Math.max(0, Math.min(100, (100 * share) / most))}%`;
  const mark = asked === undefined ? null : el("u", { style: `left: ${width(asked)}` });
  return el("div", { class: chosen ? "barrow chosen" : "barrow" }, el("span", {}, name), el("div", { class: "track" }, el("i", { style: `width: ${width(value)}` }), mark), el("b", { "data-value": value.toFixed(4) }, said));
}

/** Bars that appear as somebody comes to them, so that each can be guessed before. */
export class BarsPicture {
  /**
   * @param {HTMLElement} stage
   * @param {About} about
   * @param {{ seen: string[] }} memory
   */
  constructor(stage, { texts, arrays }, memory) {
    this.texts = texts;
    this.arrays = arrays;
    this.memory = memory;
    memory.seen ??= [];
    this.box = el("div", { class: "bars", "aria-live": "polite" });
    stage.append(this.box);
  }

  /** @param {Values} values */
  set(values) {
    const { names, keys, unit } = this.texts;
    const chosen = Object.values(values).find((value) => keys.includes(value)) ?? keys[0];
    if (!this.memory.seen.includes(chosen)) this.memory.seen.push(chosen);
    const most = Math.max(...this.arrays.bars);
    /** @param {number} value */
    const said = (value) => (unit?.[0] === "error" ? (100 * value).toFixed(2) : `${(100 * value).toFixed(value < 0.1 ? 1 : 0)}%`);
    const rows = names.map((name, at) => {
      if (!this.memory.seen.includes(keys[at])) return el("div", { class: "barrow" }, el("span", {}, name), el("div", { class: "track" }), el("b", {}, "?"));
      return bar(name, this.arrays.bars[at], most, said(this.arrays.bars[at]), { chosen: keys[at] === chosen });
    });
    this.box.replaceChildren(...rows);
  }
}

/** What the self-check looks at in a run, and what it decides. */
export class VerdictPicture {
  /**
   * @param {HTMLElement} stage
   * @param {Pick<About, "facts">} about
   */
  constructor(stage, { facts }) {
    this.facts = facts;
    this.box = el("div", { class: "bars", "aria-live": "polite" });
    this.chip = el("p", { class: "chip" });
    stage.append(this.box, el("div", { class: "bar" }, this.chip));
  }

  /** @param {Values} values */
  set(values) {
    const { facts } = this;
    const run = values.run ?? "related";
    /** @param {string} name */
    const value = (name) => facts[`${name}_${run}`];
    /** @param {number} share */
    const said = (share) => `${(100 * Math.max(0, share)).toFixed(0)}%`;
    /** @type {(title: string, name: string, asked?: number) => HTMLElement} */
    const row = (title, name, asked) => bar(title, value(name), 1, said(value(name)), { asked });
    this.box.replaceChildren(
      row("Mutual matches", "agreement"),
      row("Two halves of the matches agree", "halves", facts.halves_asked),
      row("Better than random starts", "margin", value("margin_asked")),
    );
    const accepted = value("accepted") === 1;
    this.chip.textContent = `Self-check: ${accepted ? "accepted" : "rejected"}`;
    this.chip.className = `chip ${accepted ? "good" : "bad"}`;
  }
}
