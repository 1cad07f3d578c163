// A linked map without a server: its message, texts and pictures are at hand as bytes.

import { mount } from "./linked_map.js";
import { readPayload, withPanes } from "./payload.js";
/** @import { Host, Root } from "./linked_map.js" */
/** @import { Marked, Payload } from "./payload.js" */

/** @typedef {Record<"message" | "texts" | "sprite", Uint8Array<ArrayBuffer>>} Content */

export class Standalone {
  /** @type {Payload} */ payload;
  /** @type {Record<string, number[]>} places of panes, by the words of views */ sets;
  /** @type {string} */ view;
  /** @type {(() => void) | undefined} */ leave;

  /**
   * @param {HTMLElement} host an empty element
   * @param {string} template page and style of a map
   * @param {(chosen: object) => void} onChosen is given each selection
   */
  constructor(host, template, onChosen = () => {}) {
    this.template = template;
    this.onChosen = onChosen;
    this.parent = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    /** @type {string[]} */
    this.urls = [];
  }

  /**
   * Take what is to be shown.
   * @param {Content} content
   */
  take({ message, texts, sprite }) {
    this.forget();
    this.payload = readPayload(message);
    const file = this.payload.texts && { ...this.payload.texts, url: this.urlOf(texts, "application/octet-stream") };
    const sheet = this.payload.sprite && { ...this.payload.sprite, url: this.urlOf(sprite, "image/png") };
    Object.assign(this.payload, { texts: file, sprite: sheet });
    const { views = {}, opens = "" } = this.payload;
    this.sets = views;
    this.show(this.view in views ? this.view : opens);
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} bytes
   * @param {string} type
   */
  urlOf(bytes, type) {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    this.urls.push(url);
    return url;
  }

  /** Words of the switch between sets of panes. */
  get views() {
    return Object.keys(this.sets);
  }

  /**
   * Show the panes of a view; points go to their places in it.
   * @param {string} view
   */
  show(view) {
    this.view = view;
    const payload = withPanes(this.payload, this.sets[view], view);
    /** @type {Host["setStateValue"]} */
    const setStateValue = (name, sent) => name === "chosen" && this.onChosen(sent);
    this.leave = mount({ payload, parentElement: this.parent, setStateValue }, this.template);
  }

  /**
   * Select rows, as Python asks for: drawn rows of an identity, with a number that is another each time.
   * @param {Marked} marked
   */
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
    return /** @type {Root | null} */ (this.parent.querySelector(".relviz-map"))?.relvizMap;
  }

  forget() {
    for (const url of this.urls.splice(0)) URL.revokeObjectURL(url);
  }

  release() {
    this.leave?.();
    this.forget();
  }
}
