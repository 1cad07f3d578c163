// The bar above the panes: what dragging does, zoom, search, and how many rows are selected.

import { find, findAll } from "./elements.js";
import { marksOf } from "./items.js";
import { grouped } from "./panel.js";
/** @import { Acts, Mode } from "./acts.js" */
/** @import { Arrangement } from "./arrange.js" */
/** @import { Marks } from "./items.js" */
/** @import { Payload } from "./payload.js" */
/** @import { Selection } from "./selection.js" */
/** @import { Views } from "./views.js" */

/**
 * How things stand with a map.
 * @typedef {object} Standing
 * @property {Payload} payload
 * @property {Selection} selection
 * @property {Views} views
 * @property {Mode} mode
 * @property {boolean} deep
 * @property {string} notice
 * @property {Arrangement} arrangement
 * @property {Arrangement} arrangeable
 * @property {Marks} marks
 * @property {boolean} named
 */

const SEARCH_MS = 250;

/**
 * Tie the buttons and the search field to the map.
 * @param {HTMLElement} root
 * @param {Acts} map
 */
export function listenToBar(root, map) {
  /** @type {Record<string, () => void>} */
  const acts = {
    in: () => map.zoomMiddle(undefined, 1.5),
    out: () => map.zoomMiddle(undefined, 1 / 1.5),
    home: () => map.home(undefined),
    clear: () => map.clear(),
    link: () => map.toggleLink(),
    center: () => map.toggleArrangement("centered"),
    turn: () => map.toggleArrangement("turned"),
    names: () => map.toggleNames(),
  };
  for (const button of findAll(root, "button", "[data-do]")) button.onclick = acts[button.dataset.do ?? ""];
  for (const button of findAll(root, "button", "[data-mode]")) {
    button.onclick = () => map.setMode(/** @type {Mode} */ (button.dataset.mode));
  }
  for (const button of findAll(root, "button", "[data-marks]")) {
    button.onclick = () => map.setMarks(/** @type {Marks} */ (button.dataset.marks));
  }
  const search = find(root, "input", ".search");
  /** @type {number | undefined} */
  let waiting;
  search.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => map.search(search.value, false), SEARCH_MS);
  };
  const done = () => {
    clearTimeout(waiting);
    map.search(search.value, true);
  };
  // A handler that gives false keeps the browser from what the key does by itself.
  search.onkeydown = (event) => {
    if (event.key === "Enter") done();
  };
  search.onchange = done;
  root.onkeydown = (event) => {
    if (event.key === "Escape") map.clear();
  };
}

/**
 * Have the bar say how things stand.
 * @param {HTMLElement} root
 * @param {Standing} standing
 */
export function fillBar(root, { payload, selection, views, mode, notice, arrangement, arrangeable, marks, named, deep }) {
  const { n } = payload;
  find(root, "span", ".counter").textContent = selection.count ? `${grouped(selection.count)} of ${grouped(n)} selected` : "";
  find(root, "button", ".clear").hidden = !selection.count;
  find(root, "span", ".notice").textContent = notice;
  for (const button of findAll(root, "button", "[data-mode]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  }
  find(root, "button", "[data-mode=orbit]").hidden = !deep;
  for (const plot of findAll(root, "div", ".plot")) plot.dataset.mode = mode;
  const [center, turn] = ["center", "turn"].map((name) => find(root, "button", `[data-do=${name}]`));
  center.hidden = !arrangeable.centered;
  center.setAttribute("aria-pressed", String(arrangement.centered));
  turn.hidden = !arrangeable.turned;
  turn.setAttribute("aria-pressed", String(arrangement.turned));
  toolsOf(center).hidden = center.hidden && turn.hidden;
  const offered = marksOf(payload);
  for (const button of findAll(root, "button", "[data-marks]")) {
    button.hidden = !offered.some((one) => one === button.dataset.marks);
    button.setAttribute("aria-pressed", String(button.dataset.marks === marks));
  }
  find(root, "div", ".marking").hidden = offered.length < 2;
  const names = find(root, "button", "[data-do=names]");
  names.setAttribute("aria-pressed", String(named));
  toolsOf(names).hidden = payload.colors.kind !== "class";
  const link = find(root, "button", "[data-do=link]");
  link.disabled = !views.canLink;
  link.setAttribute("aria-pressed", String(views.linked && views.canLink));
}

/** @param {HTMLButtonElement} button */
function toolsOf(button) {
  return /** @type {HTMLElement} */ (button.parentElement);
}
