// The HTML file of a map: a switch between its views, light and dark, and its recipe to keep.

import { Standalone } from "./standalone.js";

const THEMES = ["light", "dark"];

/** Show a map in the document. */
export function open(document, template, content) {
  const root = document.documentElement;
  const find = (selector) => document.querySelector(selector);
  root.dataset.theme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const map = new Standalone(find("#map"), template);
  map.take(content);
  fillSwitch(find("#views"), map);
  find("#theme").onclick = () => {
    root.dataset.theme = THEMES.find((theme) => theme !== root.dataset.theme);
    map.repaint();
  };
  const recipe = new Blob([find("#recipe pre").textContent], { type: "application/json" });
  find("#recipe a").href = URL.createObjectURL(recipe);
  return map;
}

/** Fill an element with a button for each view of a map. */
export function fillSwitch(field, map) {
  field.hidden = map.views.length < 2;
  const buttons = map.views.map((view) => {
    const button = field.ownerDocument.createElement("button");
    [button.type, button.textContent] = ["button", view];
    button.onclick = () => press(view);
    return button;
  });
  const press = (view) => {
    if (view !== map.view) map.show(view);
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.textContent === view)));
  };
  field.replaceChildren(...buttons);
  press(map.view);
}
