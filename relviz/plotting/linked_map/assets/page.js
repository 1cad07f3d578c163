// The HTML file of a map: a switch between its views, light and dark, and its recipe to keep.

import { find } from "./elements.js";
import { Standalone } from "./standalone.js";
/** @import { Content } from "./standalone.js" */

const THEMES = ["light", "dark"];
const MOST_BUTTONS = 6;
const REST_MS = 250; // between two steps of a replay, beside the time that points move

/**
 * Show a map in the document.
 * @param {Document} document
 * @param {string} template
 * @param {Content} content
 */
export function open(document, template, content) {
  const root = document.documentElement;
  root.dataset.theme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const map = new Standalone(find(document, "div", "#map"), template);
  map.take(content);
  fillSwitch(find(document, "div", "#views"), map);
  find(document, "button", "#theme").onclick = () => {
    root.dataset.theme = THEMES.find((theme) => theme !== root.dataset.theme);
    map.repaint();
  };
  const about = find(document, "details", "#recipe");
  const recipe = new Blob([find(about, "pre").textContent ?? ""], { type: "application/json" });
  find(about, "a").href = URL.createObjectURL(recipe);
  return map;
}

/**
 * Fill an element with what switches between the views of a map: a button for each, or of many, as of steps, a slider.
 * @param {HTMLElement} field
 * @param {Standalone} map
 */
export function fillSwitch(field, map) {
  field.hidden = map.views.length < 2;
  if (map.views.length > MOST_BUTTONS) fillSlider(field, map);
  else fillButtons(field, map);
}

/**
 * @param {HTMLElement} field
 * @param {Standalone} map
 */
function fillButtons(field, map) {
  const buttons = map.views.map((view) => {
    const button = field.ownerDocument.createElement("button");
    [button.type, button.textContent] = ["button", view];
    button.onclick = () => press(view);
    return button;
  });
  /** @param {string} view */
  const press = (view) => {
    if (view !== map.view) map.show(view);
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.textContent === view)));
  };
  field.replaceChildren(...buttons);
  press(map.view);
}

/**
 * @param {HTMLElement} field
 * @param {Standalone} map
 */
function fillSlider(field, map) {
  const { ownerDocument } = field;
  const [play, slider, said] = [ownerDocument.createElement("button"), ownerDocument.createElement("input"), ownerDocument.createElement("output")];
  const last = map.views.length - 1;
  /** @type {number | undefined} */
  let replay;
  /** @param {number} at */
  const show = (at) => {
    slider.value = String(at);
    said.textContent = map.views[at];
    slider.setAttribute("aria-valuetext", map.views[at]);
    if (map.views[at] !== map.view) map.show(map.views[at]);
  };
  const stop = () => {
    clearInterval(replay);
    replay = undefined;
    play.textContent = "Play";
  };
  const next = () => {
    if (!field.isConnected || Number(slider.value) === last) stop();
    else show(Number(slider.value) + 1);
  };
  play.type = "button";
  play.onclick = () => {
    if (replay) return stop();
    if (Number(slider.value) === last) show(0);
    play.textContent = "Pause";
    replay = setInterval(next, map.payload.move_ms + REST_MS);
    return undefined;
  };
  Object.assign(slider, { type: "range", min: "0", max: String(last), step: "1" });
  slider.setAttribute("aria-label", "Step");
  slider.oninput = () => {
    stop();
    show(Number(slider.value));
  };
  field.replaceChildren(play, slider, said);
  stop();
  show(map.views.indexOf(map.view));
}
