// The controls of a picture: sliders, choices and switches, each with its label and its value in words.

import { el } from "./dom.js";

/**
 * @typedef {object} Control
 * @property {string} name
 * @property {string} label
 * @property {string} kind
 * @property {string} value at first
 * @property {string | null} after where the answer can be seen
 * @property {[value: string, title: string][]} stops
 * @property {[least: number, most: number, step: number]} range of a slider without stops
 */

/** @typedef {Record<string, string>} Values of controls by their names */
/** @typedef {{ box: HTMLElement, inputs: (HTMLInputElement | HTMLButtonElement)[], show: (value: string) => void }} Field */

const MOVE_MS = 600;
/** Sliders that play by themselves: what is told of a lecture, step by step. */
const PLAYED = ["anchors", "progress"];
/** Milliseconds at each stop of a slider that plays, and for all of one that has none. */
const STOP_MS = 1100;
const ALL_MS = 6000;

/**
 * The value at first of each control, as text.
 * @param {Control[]} controls
 * @returns {Values}
 */
export const firstValues = (controls) => Object.fromEntries(controls.map((one) => [one.name, one.value]));

/**
 * The title of a value.
 * @param {Control} control
 * @param {string} value
 */
export function titleOf(control, value) {
  const stop = control.stops.find(([of]) => of === value);
  return stop ? stop[1] : value;
}

/** Controls in a box; `values` is changed in place, and `changed()` called after each change. */
export class Controls {
  /** @type {{ timer: number, button: HTMLButtonElement } | undefined} */ playing;
  moving = 0;

  /**
   * @param {Control[]} controls
   * @param {Values} values
   * @param {() => void} changed
   */
  constructor(controls, values, changed) {
    this.controls = controls;
    this.values = values;
    this.changed = changed;
    this.fields = new Map(controls.map((one) => [one.name, this.field(one)]));
    this.box = el("div", { class: "controls" }, [...this.fields.values()].map((field) => field.box));
    this.show();
  }

  /**
   * @param {Control} control
   * @returns {Field}
   */
  field(control) {
    if (control.kind === "slider") return this.slider(control);
    if (control.kind === "switch") return this.switch(control);
    return this.choice(control);
  }

  /**
   * @param {Control} control
   * @returns {Field}
   */
  slider(control) {
    const { stops, name } = control;
    const [least, most, step] = stops.length ? [0, stops.length - 1, 1] : control.range;
    const input = el("input", { type: "range", min: least, max: most, step, "aria-label": control.label });
    const output = el("span", { class: "value" });
    input.addEventListener("input", () => this.set(name, stops.length ? stops[Number(input.value)][0] : input.value));
    /** @param {string} value */
    const show = (value) => {
      input.value = stops.length ? String(stops.findIndex(([of]) => of === value)) : value;
      output.textContent = titleOf(control, value);
      input.setAttribute("aria-valuetext", output.textContent);
    };
    const box = el("label", { class: "slider" }, el("span", {}, control.label, " ", output), input);
    if (!PLAYED.includes(name)) return { box, inputs: [input], show };
    const button = el("button", { type: "button", class: "play", "aria-label": `Play: ${control.label}`, "aria-pressed": "false", onclick: () => this.play(control, input, button) }, "▶");
    return { box: el("div", { class: "played" }, button, box), inputs: [input, button], show };
  }

  /**
   * @param {Control} control
   * @returns {Field}
   */
  switch(control) {
    const input = el("input", { type: "checkbox", role: "switch" });
    input.addEventListener("change", () => this.set(control.name, input.checked ? "on" : "off"));
    /** @param {string} value */
    const show = (value) => {
      input.checked = value === "on";
    };
    return { box: el("label", { class: "switch" }, input, el("span", {}, control.label)), inputs: [input], show };
  }

  /**
   * @param {Control} control
   * @returns {Field}
   */
  choice(control) {
    const buttons = control.stops.map(([value, title]) =>
      el("button", { type: "button", "data-value": value, onclick: () => this.set(control.name, value) }, title),
    );
    /** @param {string} value */
    const show = (value) => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === value));
    };
    const group = el("div", { class: "choice", role: "group", "aria-label": control.label }, buttons);
    return { box: el("div", { class: "chosen" }, el("span", {}, control.label), group), inputs: buttons, show };
  }

  /**
   * Go through all places of a slider, from the first one if it stands at the last; once more to pause.
   * @param {Control} control
   * @param {HTMLInputElement} input
   * @param {HTMLButtonElement} button
   */
  play(control, input, button) {
    if (this.playing) {
      this.pause();
      return;
    }
    const [least, most] = [Number(input.min), Number(input.max)];
    const by = control.stops.length ? 1 : (most - least) / 60;
    const wait = control.stops.length ? STOP_MS : ALL_MS / 60;
    /** @param {number} place */
    const put = (place) => this.put(control.name, control.stops.length ? control.stops[place][0] : String(Math.round(place)));
    let place = Number(input.value) >= most ? least : Number(input.value);
    put(place);
    const next = () => {
      place = Math.min(most, place + by);
      put(place);
      if (place >= most) this.pause();
    };
    this.playing = { timer: setInterval(next, wait), button };
    button.textContent = "❚❚";
    button.setAttribute("aria-pressed", "true");
  }

  pause() {
    if (!this.playing) return;
    const { timer, button } = this.playing;
    clearInterval(timer);
    button.textContent = "▶";
    button.setAttribute("aria-pressed", "false");
    this.playing = undefined;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  set(name, value) {
    this.pause();
    cancelAnimationFrame(this.moving);
    this.put(name, value);
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  put(name, value) {
    this.values[name] = value;
    this.show();
    this.changed();
  }

  show() {
    for (const [name, field] of this.fields) field.show(this.values[name]);
  }

  /**
   * Whether the controls wait for the guess.
   * @param {boolean} locked
   */
  lock(locked) {
    for (const { inputs } of this.fields.values()) for (const input of inputs) input.disabled = locked;
    this.box.classList.toggle("locked", locked);
  }

  /** Move the controls to where the answer can be seen; sliders go there gradually. */
  toAnswer() {
    const targets = this.controls.flatMap(({ after, ...control }) => (after === null ? [] : [{ ...control, after }]));
    const before = { ...this.values };
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const start = performance.now();
    /** @param {number} now */
    const frame = (now) => {
      const share = still ? 1 : Math.min(1, Math.max(0, now - start) / MOVE_MS);
      for (const one of targets) this.values[one.name] = between(one, before[one.name], share);
      this.show();
      this.changed();
      if (share < 1) this.moving = requestAnimationFrame(frame);
    };
    if (targets.length) frame(start + (still ? MOVE_MS : 0));
  }

  release() {
    this.pause();
    cancelAnimationFrame(this.moving);
  }
}

/**
 * The value of a control a share of the way from one before to the one after.
 * @param {Pick<Control, "kind" | "stops" | "range"> & { after: string }} control
 * @param {string} before
 * @param {number} share
 */
export function between(control, before, share) {
  if (share >= 1) return control.after;
  if (control.kind !== "slider") return before;
  if (control.stops.length) {
    const places = [before, control.after].map((value) => control.stops.findIndex(([of]) => of === value));
    return control.stops[Math.round(places[0] + share * (places[1] - places[0]))][0];
  }
  const [, , step] = control.range;
  const value = Number(before) + share * (Number(control.after) - Number(before));
  return String(Math.round(value / step) * step);
}
