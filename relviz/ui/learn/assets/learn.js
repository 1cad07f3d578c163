// A step of a story: text, picture, question and what to notice; or the list of stories.

import { arraysOf, sheetImage } from "./arrays.js";
import { exerciseList, storyList } from "./contents.js";
import { Controls, firstValues } from "./controls.js";
import { el, inline } from "./dom.js";
import { PICTURES } from "./pictures.js";
import { Question } from "./question.js";
/** @import { PictureData } from "./arrays.js" */
/** @import { Exercise, Goal, Story } from "./contents.js" */
/** @import { Control, Values } from "./controls.js" */
/** @import { About, StoryPicture } from "./pictures.js" */
/** @import { Asked } from "./question.js" */

/**
 * A step as Python describes it; without its picture the numbers in its texts are an ellipsis.
 * @typedef {object} StepData
 * @property {{ name: string, title: string, number: number, of: number }} story
 * @property {number} number
 * @property {string[]} titles
 * @property {{ name: string, title: string } | null} next
 * @property {string} text
 * @property {string} kind
 * @property {Record<string, string>} options
 * @property {Control[]} controls
 * @property {Asked | null} question
 * @property {string[]} notices
 * @property {{ path: string, params: Record<string, string> } | null} lab
 * @property {Record<string, number>} facts
 * @property {PictureData | null} picture
 * @property {boolean} present
 * @property {undefined} [stories]
 * @property {undefined} [exercises]
 * @property {{ url: string, cell: number, columns: number }} [sheet]
 * @property {{ number: number, error?: string }} [reply]
 */

/** @typedef {Partial<Record<"story" | "number" | "picture" | "reply", undefined>> & { present: boolean, stories?: Story[], exercises?: Exercise[] }} ListData */
/** @typedef {{ data: ListData | StepData, parentElement: HTMLElement | ShadowRoot, setTriggerValue: (name: string, value: object) => void }} Component */
/** @typedef {{ values: Values, guess?: number | null }} Memory of a step; its picture keeps there what it likes */

/** @type {Map<string, Memory>} */
const memories = new Map();
let asked = 0;
const FONT_KEY = "relviz-learn-letters";
const FONTS = { Small: 0.85, Usual: 1, Large: 1.2 };
const fontScale = () => Object.values(FONTS).find((scale) => String(scale) === localStorage.getItem(FONT_KEY)) ?? 1;

/**
 * What was guessed and set at a step, for as long as the page is open.
 * @param {StepData} step
 * @returns {Memory}
 */
function memoryOf({ story, number, controls }) {
  const key = `${story.name}/${number}`;
  const memory = memories.get(key) ?? { values: firstValues(controls), guess: undefined };
  memories.set(key, memory);
  return memory;
}

class Learn {
  /** @type {Component} */ component;
  /** @type {string | undefined} what stands there */ shown;
  /** @type {string | undefined} its place */ at;
  /** @type {Goal | undefined} where somebody wants to go, until the server answers */ wanted;
  /** @type {number | undefined} of the question that the server was asked last */ asked;
  /** @type {Controls | undefined} */ controls;
  /** @type {StoryPicture | undefined} */ picture;
  trouble = el("p", { class: "trouble", role: "status" });
  /** @type {HTMLButtonElement[]} */ fontButtons = [];

  /**
   * @param {HTMLElement | ShadowRoot} parent
   * @param {string} template
   */
  constructor(parent, template) {
    parent.replaceChildren(document.createRange().createContextualFragment(template));
    this.root = /** @type {HTMLElement} */ (parent.querySelector(".learn"));
    /** @param {KeyboardEvent} event */
    this.pressed = (event) => this.key(event);
    window.addEventListener("keydown", this.pressed);
  }

  /** @param {Component} component */
  update(component) {
    this.component = component;
    const { data } = component;
    const shown = JSON.stringify([data.story?.name, data.number, data.present, Boolean(data.picture), Boolean(data.stories)]);
    if (shown === this.shown) {
      this.hear(data.reply);
      return;
    }
    const place = `${data.story?.name ?? ""}/${data.number ?? ""}`;
    const turned = this.at !== undefined && this.at !== place;
    this.shown = shown;
    this.at = place;
    const { wanted } = this;
    if (wanted?.step === data.number && Boolean(wanted?.present) === data.present) this.wanted = undefined;
    this.clear();
    this.root.classList.toggle("present", data.present);
    this.root.classList.toggle("unfinished", Boolean(data.story) && !data.picture);
    /** @param {Goal} to */
    const go = (to) => this.go(to);
    if (data.stories) this.root.replaceChildren(...storyList(data.stories, go));
    else if (data.exercises) this.root.replaceChildren(...exerciseList(data.exercises, go));
    else if (data.story) this.showStep(data);
    this.root.dataset.place = place;
    if (turned) this.root.querySelector("h2")?.focus({ preventScroll: true });
  }

  /**
   * Take what the server answers to a question that the picture asked, once.
   * @param {StepData["reply"]} reply
   */
  hear(reply) {
    if (!reply || reply.number !== this.asked) return;
    this.asked = undefined;
    this.trouble.textContent = reply.error ?? "";
    if (!reply.error) this.picture?.reply?.(reply);
  }

  /**
   * Ask the server about something that was typed or drawn; only the latest is waited for.
   * @param {object} what
   */
  ask(what) {
    this.asked = ++asked;
    this.trouble.textContent = "";
    this.component.setTriggerValue("ask", { number: this.asked, ...what });
  }

  /** @param {StepData} data */
  showStep(data) {
    const memory = memoryOf(data);
    const stage = el("div", { class: "picture" });
    const controls = new Controls(data.controls, memory.values, () => this.redraw());
    controls.box.hidden = !data.controls.length;
    this.controls = controls;
    this.trouble = el("p", { class: "trouble", role: "status" });
    const aside = el("aside", {});
    this.root.replaceChildren(
      this.header(data),
      el("h2", { tabindex: -1 }, inline(data.titles[data.number - 1])),
      el("p", { class: "text" }, inline(data.text)),
      el("div", { class: "body" }, el("div", { class: "left" }, stage, this.trouble, controls.box), aside),
      this.footer(data),
    );
    if (data.picture) this.draw(data, data.picture, stage, memory, aside, controls);
    else stage.append(el("p", { class: "waiting", role: "status" }, "The picture is being computed."));
  }

  /**
   * @param {StepData} data
   * @param {PictureData} picture
   * @param {HTMLElement} stage
   * @param {Memory} memory
   * @param {HTMLElement} aside
   * @param {Controls} controls
   */
  draw(data, picture, stage, memory, aside, controls) {
    const notices = el(
      "section",
      { class: "notice", "aria-label": "What to notice" },
      el("h3", {}, "What to notice"),
      el("ul", {}, data.notices.map((text) => el("li", {}, inline(text)))),
    );
    const open = () => {
      notices.hidden = !data.notices.length;
      controls.lock(false);
    };
    notices.hidden = true;
    if (data.question && memory.guess === undefined) {
      controls.lock(true);
      const answered = () => {
        open();
        controls.toAnswer();
      };
      aside.append(new Question(data.question, memory, answered).box);
    } else {
      if (data.question) aside.append(new Question(data.question, memory, () => {}).box);
      open();
    }
    aside.append(notices);
    const { sheet, facts, options } = data;
    /** @type {About} */
    const about = { facts, options, texts: picture.texts, arrays: arraysOf(picture), ask: (what) => this.ask(what) };
    if (sheet) {
      const image = sheetImage(new URL(sheet.url, window.location.origin).href, () => this.picture?.paint?.());
      about.sheet = { ...sheet, image };
    }
    this.picture = new PICTURES[data.kind](stage, about, memory);
    this.redraw();
  }

  redraw() {
    if (!this.controls) return;
    const { values } = this.controls;
    this.picture?.set(values);
    /** @type {HTMLAnchorElement | null} */
    const link = this.root.querySelector("a.lab");
    const { lab } = this.data;
    if (link && lab) link.href = labAddress(lab, values);
  }

  /** The step that is shown. */
  get data() {
    return /** @type {StepData} */ (this.component.data);
  }

  /** @param {StepData} step */
  header({ story, number, titles, present }) {
    const dots = titles.map((title, at) =>
      el("button", {
        type: "button",
        class: "dot",
        title,
        "aria-label": `Step ${at + 1} of ${titles.length}: ${title}`,
        "aria-current": at + 1 === number ? "step" : null,
        onclick: () => this.go({ story: story.name, step: at + 1, present }),
      }),
    );
    return el(
      "header",
      {},
      el("button", { type: "button", class: "quiet", onclick: () => this.go({ present }) }, "All stories"),
      el("span", {}, `Story ${story.number} of ${story.of} · `, el("b", {}, story.title)),
      el("span", { class: "gap" }),
      el("span", { class: "steps" }, `Step ${number} of ${titles.length}`),
      el("nav", { class: "dots", "aria-label": "Steps" }, dots),
      present ? this.fonts() : null,
      el("button", { type: "button", class: "quiet", "aria-pressed": String(present), onclick: () => this.turnPresent() }, "Presenter view"),
    );
  }

  /** The size of all letters in the presenter view, kept in this browser. */
  fonts() {
    const buttons = Object.entries(FONTS).map(([name, scale]) =>
      el("button", { type: "button", "aria-label": `${name} letters`, "aria-pressed": String(fontScale() === scale), onclick: () => this.setFont(scale) }, el("span", { style: `font-size: ${0.75 * scale}em` }, "A")),
    );
    this.fontButtons = buttons;
    this.root.style.setProperty("--letters", String(fontScale()));
    return el("span", { class: "fonts", role: "group", "aria-label": "Text size" }, buttons);
  }

  /** @param {number} scale */
  setFont(scale) {
    localStorage.setItem(FONT_KEY, String(scale));
    this.root.style.setProperty("--letters", String(scale));
    this.fontButtons.forEach((button, at) => button.setAttribute("aria-pressed", String(Object.values(FONTS)[at] === scale)));
    this.picture?.paint?.();
  }

  /** @param {StepData} step */
  footer({ number, titles, next, lab }) {
    const last = number === titles.length;
    const onward = last ? next && `Next story: ${next.title}` : "Next";
    return el(
      "footer",
      {},
      el("button", { type: "button", onclick: () => this.step(-1) }, "← Back"),
      el("button", { type: "button", onclick: (event) => copyLink(event.currentTarget) }, "Copy link"),
      lab ? el("a", { class: "lab", target: "_blank", rel: "noopener", title: "Opens in a new tab" }, "Open in the lab") : null,
      el("span", { class: "hint" }, "Keys: ← → steps, P presenter view"),
      el("span", { class: "gap" }),
      el("button", { type: "button", class: "main", onclick: () => this.step(1) }, onward ? `${onward} →` : "All stories"),
    );
  }

  /** The step that is shown, or asked for: keys may be pressed faster than the server answers. */
  place() {
    const { story, number, present } = this.data;
    const { wanted } = this;
    return wanted?.story === story.name ? { number: wanted.step ?? 1, present: Boolean(wanted.present) } : { number, present };
  }

  /** @param {number} by */
  step(by) {
    const { story, titles, next } = this.data;
    const { number, present } = this.place();
    const to = number + by;
    if (to >= 1 && to <= titles.length) this.go({ story: story.name, step: to, present });
    else if (by > 0 && next) this.go({ story: next.name, step: 1, present });
    else this.go({ present });
  }

  turnPresent() {
    const { number, present } = this.place();
    this.go({ story: this.data.story.name, step: number, present: !present });
  }

  /** @param {Goal} place */
  go(place) {
    this.wanted = place;
    this.component.setTriggerValue("go", place);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.component.data.story) return;
    const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
    if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) || target.isContentEditable) return;
    if (event.key === "ArrowRight") this.step(1);
    else if (event.key === "ArrowLeft") this.step(-1);
    else if (event.key === "p" || event.key === "P") this.turnPresent();
  }

  clear() {
    this.controls?.release();
    this.picture?.release?.();
    this.controls = this.picture = undefined;
  }

  release() {
    this.clear();
    window.removeEventListener("keydown", this.pressed);
    this.root.remove();
  }
}

/**
 * @param {{ path: string, params: Record<string, string> }} lab
 * @param {Values} values
 */
function labAddress({ path, params }, values) {
  const filled = Object.entries(params).map(([name, text]) => [name, text.replace(/\{(\w+)\}/g, (_, control) => values[control] ?? "")]);
  const query = new URLSearchParams(filled).toString();
  return query ? `${path}?${query}` : path;
}

/** @param {HTMLButtonElement} button */
async function copyLink(button) {
  /** @param {string} text */
  const said = (text) => {
    button.textContent = text;
    setTimeout(() => {
      button.textContent = "Copy link";
    }, 2000);
  };
  try {
    await navigator.clipboard.writeText(window.location.href);
    said("Link copied");
  } catch {
    window.prompt("Copy this link:", window.location.href);
  }
}

/** @type {WeakMap<HTMLElement | ShadowRoot, { learn: Learn, call: number }>} */
const shown = new WeakMap();
let calls = 0;

/**
 * Show a step in an element; the answer takes it away, unless it was shown anew since.
 * @param {Component} component
 * @param {string} template
 */
export function mount(component, template) {
  const { parentElement } = component;
  const entry = shown.get(parentElement) ?? { learn: new Learn(parentElement, template), call: 0 };
  shown.set(parentElement, entry);
  const call = (entry.call = ++calls);
  entry.learn.update(component);
  return () => {
    if (entry.call !== call) return;
    entry.learn.release();
    shown.delete(parentElement);
  };
}
