// The question of a step: a guess first, then the answer beside it.

import { el, inline } from "./dom.js";

/** @typedef {{ answer: number, range: [least: number, most: number], unit: string }} Guess a number that is guessed */
/** @typedef {{ text: string, options: { text: string, right: boolean }[], because: string, guess: Guess | null }} Asked */

/**
 * @param {number} value
 * @param {string} unit
 */
const number = (value, unit) => {
  const digits = unit === "%" && value > 0 && value < 10 ? 1 : 0;
  return `${value.toLocaleString("en-US", { maximumFractionDigits: digits })}${unit}`;
};

/** The question with its answers; `answered()` is called once somebody guessed, or asked for the answer. */
export class Question {
  /** @type {HTMLButtonElement[]} of the options */ buttons;
  /** @type {HTMLInputElement} */ input;
  /** @type {HTMLButtonElement} */ guessed;
  /** @type {HTMLElement} the guess beside the answer */ shown;

  /**
   * @param {Asked} question
   * @param {{ guess?: number | null }} memory
   * @param {() => void} answered
   */
  constructor(question, memory, answered) {
    this.question = question;
    this.memory = memory;
    this.answered = answered;
    this.said = el("div", { class: "said", "aria-live": "polite" });
    this.answers = question.guess ? this.scale(question.guess) : this.options();
    this.skip = el("button", { type: "button", class: "quiet skip", onclick: () => this.answer(null) }, "Show the answer");
    this.box = el(
      "section",
      { class: "question", "aria-label": "Question" },
      el("h3", {}, "Guess first"),
      el("p", {}, inline(question.text)),
      this.answers,
      this.skip,
      this.said,
    );
    if (memory.guess !== undefined) this.reveal();
  }

  options() {
    const { options } = this.question;
    this.buttons = options.map(({ text }, at) =>
      el("button", { type: "button", onclick: () => this.answer(at) }, inline(text)),
    );
    return el("div", { class: "options" }, this.buttons);
  }

  /** @param {Guess} guess */
  scale({ range: [least, most], unit }) {
    const step = most - least > 20 ? 1 : (most - least) / 100;
    const middle = Math.round((least + most) / 2);
    const input = el("input", { type: "range", min: least, max: most, step, value: middle, "aria-label": "Your guess" });
    const output = el("output", {}, number(middle, unit));
    input.addEventListener("input", () => {
      output.textContent = number(Number(input.value), unit);
      input.setAttribute("aria-valuetext", output.textContent);
    });
    this.input = input;
    this.guessed = el("button", { type: "button", class: "main", onclick: () => this.answer(Number(input.value)) }, "Guess");
    this.shown = el("div", { class: "guessbar" });
    return el("div", { class: "guess" }, el("div", {}, input, output, this.guessed), this.shown);
  }

  /** @param {number | null} guess */
  answer(guess) {
    this.memory.guess = guess;
    this.reveal();
    this.answered();
  }

  reveal() {
    const { question, memory: { guess = null }, said } = this;
    this.skip.hidden = true;
    if (question.guess) this.revealNumber(question.guess, guess);
    else this.revealOptions(guess);
    said.append(el("p", { class: "because" }, inline(question.because)));
  }

  /** @param {number | null} guess */
  revealOptions(guess) {
    const { options } = this.question;
    this.buttons.forEach((button, at) => {
      button.disabled = true;
      if (at === guess) button.classList.add("guessed");
      if (options[at].right) button.classList.add("right");
      else if (at === guess) button.classList.add("wrong");
      const mark = options[at].right ? "✓ " : at === guess ? "✗ " : "";
      button.prepend(mark);
    });
    const right = options.filter((one) => one.right).map((one) => one.text).join(" · ");
    let verdict = `Answer: ${right}.`;
    if (guess !== null) verdict = options[guess].right ? "Right." : `You guessed: ${options[guess].text}. Answer: ${right}.`;
    this.said.replaceChildren(el("p", { class: guess !== null && options[guess].right ? "verdict good" : "verdict" }, inline(verdict)));
  }

  /**
   * @param {Guess} asked
   * @param {number | null} guess
   */
  revealNumber({ answer, range: [least, most], unit }, guess) {
    /** @param {number} value */
    const place = (value) => `${(100 * (Math.min(most, Math.max(least, value)) - least)) / (most - least)}%`;
    this.input.disabled = this.guessed.disabled = true;
    this.guessed.hidden = true;
    const marks = [el("i", { class: "truth", style: `width: ${place(answer)}` })];
    if (guess !== null) marks.push(el("i", { class: "mine", style: `left: ${place(guess)}` }));
    this.shown.replaceChildren(...marks);
    const near = guess !== null && Math.abs(guess - answer) <= 0.05 * (most - least);
    const lead = guess === null ? "" : `You guessed ${number(guess, unit)}. `;
    this.said.replaceChildren(el("p", { class: near ? "verdict good" : "verdict" }, `${lead}It is `, el("strong", {}, number(answer, unit)), "."));
  }
}
