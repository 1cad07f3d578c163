// A linked map without a server: its message, texts and pictures are at hand as bytes.

import { mount } from "./linked_map.js";
import { readPayload, withPanes } from "./payload.js";

export class Standalone {
  /**
   * @param {HTMLElement} host an empty element
   * @param {string} template page and style of a map
   * @param {(chosen: object) => void} onChosen is given each selection
   */
  constructor(host, template, onChosen = () => {}) {
    [this.host, this.template, this.onChosen] = [host, template, onChosen];
    this.parent = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    this.urls = [];
  }

  /**
   * Take what is to be shown.
   * @param {{ message: Uint8Array, texts: Uint8Array, sprite: Uint8Array }} content
   */
  take({ message, texts, sprite }) {
    this.forget();
    this.payload = readPayload(message);
    const file = this.payload.texts && { ...this.payload.texts, url: this.urlOf(texts, "application/octet-stream") };
    const sheet = this.payload.sprite && { ...this.payload.sprite, url: this.urlOf(sprite, "image/png") };
    Object.assign(this.payload, { texts: file, sprite: sheet });
    if (!(this.view in this.payload.views)) this.view = this.payload.opens;
    this.show(this.view);
  }

  urlOf(bytes, type) {
    this.urls.push(URL.createObjectURL(new Blob([bytes], { type })));
    return this.urls.at(-1);
  }

  /** Words of the switch between sets of panes. */
  get views() {
    return Object.keys(this.payload.views);
  }

  /** Show the panes of a view; points go to their places in it. */
  show(view) {
    this.view = view;
    const payload = withPanes(this.payload, this.payload.views[view], view);
    const setStateValue = (name, sent) => name === "chosen" && this.onChosen(sent);
    this.leave = mount({ payload, parentElement: this.parent, setStateValue }, this.template);
  }

  /** Select rows, as Python asks for: drawn rows of an identity, with a number that is another each time. */
  mark(marked) {
    this.payload = { ...this.payload, marked, digest: `${this.payload.digest} ${marked.number}` };
    this.show(this.view);
  }

  /** Show the same in other colors of the page. */
  repaint() {
    this.show(this.view);
  }

  /** What there is of the map for whoever steers it. */
  get map() {
    return this.parent.querySelector(".relviz-map")?.relvizMap;
  }

  forget() {
    for (const url of this.urls.splice(0)) URL.revokeObjectURL(url);
  }

  release() {
    this.leave?.();
    this.forget();
  }
}
