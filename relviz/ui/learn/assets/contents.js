// The list of stories, and the exercises with their solutions.

import { el, inline } from "./dom.js";

/** @typedef {{ name: string, title: string, about: string, steps: number, cover: boolean }} Story in the list of all */
/** @typedef {{ story: string, title: string, number: number, asked: string, options: string[], right: string[], because: string }} Exercise */
/** @typedef {{ story?: string, step?: number, present?: boolean, prepare?: boolean, exercises?: boolean }} Goal where somebody wants to go */

/**
 * A picture from one of a story's own steps, light or dark as the page is; the words say all that it shows.
 * @param {string} name
 */
function cover(name) {
  /** @param {string} suffix */
  const file = (suffix) => new URL(`cover-${name}${suffix}.webp`, import.meta.url).href;
  return el(
    "picture",
    { class: "cover" },
    el("source", { media: "(prefers-color-scheme: dark)", srcset: file("-dark") }),
    el("img", { src: file(""), alt: "", width: 480, height: 270 }),
  );
}

/**
 * All stories as cards; `go(place)` opens one.
 * @param {Story[]} stories
 * @param {(goal: Goal) => void} go
 */
export function storyList(stories, go) {
  const cards = stories.map(({ name, title, about, steps, cover: covered }, at) =>
    el(
      "button",
      { type: "button", class: "card", onclick: () => go({ story: name, step: 1 }) },
      covered ? cover(name) : null,
      el("b", {}, `${at + 1}. ${title}`),
      el("span", {}, inline(about)),
      el("small", {}, `${steps} steps`),
    ),
  );
  const prepare = el("button", { type: "button", class: "quiet", onclick: () => go({ prepare: true }) }, "Prepare a lecture");
  const exercises = el("button", { type: "button", class: "quiet", onclick: () => go({ exercises: true }) }, "Exercises with solutions");
  return [
    el("header", {}, el("h2", { tabindex: -1 }, "Learn"), el("span", { class: "gap" }), prepare, exercises),
    el("p", { class: "text" }, "Short interactive stories. Guess first, then look."),
    el("div", { class: "cards" }, cards),
  ];
}

/**
 * Every question, its solution folded away; `go(place)` opens the step.
 * @param {Exercise[]} exercises
 * @param {(goal: Goal) => void} go
 */
export function exerciseList(exercises, go) {
  const items = exercises.map((one) =>
    el(
      "li",
      {},
      el("p", {}, el("b", {}, `${one.title}, step ${one.number}: `), inline(one.asked)),
      one.options.length ? el("p", { class: "soft" }, one.options.join(" · ")) : null,
      el("details", {}, el("summary", {}, "Solution"), el("p", {}, el("b", {}, inline(one.right.join(" · "))), " ", inline(one.because))),
      el("button", { type: "button", class: "quiet", onclick: () => go({ story: one.story, step: one.number }) }, "Open the step"),
    ),
  );
  const open = el("button", {
    type: "button",
    class: "quiet",
    onclick: ({ target }) => {
      for (const folded of target.getRootNode().querySelectorAll("details")) folded.open = true;
    },
  }, "Show all solutions");
  return [
    el("header", {}, el("button", { type: "button", class: "quiet", onclick: () => go({}) }, "All stories"), el("span", { class: "gap" }), open),
    el("h2", { tabindex: -1 }, "Exercises with solutions"),
    el("ol", { class: "exercises" }, items),
  ];
}
