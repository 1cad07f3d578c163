// The map as a widget of a notebook: its bytes come from Python, and what is selected goes there.

import { fillSwitch } from "./page.js";
import { Standalone } from "./standalone.js";

/**
 * A model of anywidget, as far as it is asked here.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, call: () => void) => void} on
 * @property {(event: string, call: () => void) => void} off
 */

/** @param {DataView<ArrayBuffer>} view */
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/**
 * Show a model in an element; the answer takes the map away.
 * @param {{ model: Model, el: HTMLElement }} given
 * @param {string} template
 */
export function render({ model, el }, template) {
  const document = el.ownerDocument;
  const [root, views, host] = ["div", "div", "div"].map((name) => document.createElement(name));
  [root.className, views.className] = ["relviz-widget", "views"];
  views.setAttribute("role", "group");
  views.setAttribute("aria-label", "Spaces");
  root.append(views, host);
  el.append(root);
  const map = new Standalone(host, template, (chosen) => {
    model.set("chosen", chosen);
    model.save_changes();
  });
  const take = () => {
    const [message, texts, sprite] = ["message", "texts", "sprite"].map((name) => bytesOf(model.get(name)));
    map.take({ message, texts, sprite });
    fillSwitch(views, map);
  };
  const mark = () => map.mark(model.get("marked"));
  take();
  if (model.get("marked").number) mark();
  model.on("change:message", take);
  model.on("change:marked", mark);
  return () => {
    model.off("change:message", take);
    model.off("change:marked", mark);
    map.release();
  };
}
