// A digit, and what the decoder of its own model and that of another one make of it: one that is drawn, or one of ten.

import { contextOf, el } from "./dom.js";
import { Pad } from "./pad.js";
/** @import { Values } from "./controls.js" */
/** @import { PadMemory } from "./pad.js" */
/** @import { About } from "./pictures.js" */

/** @typedef {{ input: number[], images: Record<string, number[]>, mse: Record<string, number> }} Decoded */
/** @typedef {{ title: string, canvas: HTMLCanvasElement, note: HTMLElement, box: HTMLElement }} Cell */

const SIDE = 28;

/**
 * A gray image on a canvas of its own size.
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} bytes
 */
function show(canvas, bytes) {
  const context = contextOf(canvas);
  const pixels = context.createImageData(SIDE, SIDE);
  for (let at = 0; at < bytes.length; at++) pixels.data.set([bytes[at], bytes[at], bytes[at], 255], 4 * at);
  context.putImageData(pixels, 0, 0);
}

export class DecoderPicture {
  way = "absolute";
  /** @type {string | undefined} */ digit;

  /**
   * @param {HTMLElement} stage
   * @param {About} about
   * @param {PadMemory & { reply?: Decoded }} memory
   */
  constructor(stage, { arrays, ask }, memory) {
    this.arrays = arrays;
    this.memory = memory;
    this.pad = new Pad((drawn) => this.drawn(drawn, ask), memory);
    this.cells = { input: this.cell("Input"), own: this.cell("Own decoder"), other: this.cell("Other model's decoder") };
    const { input, own, other } = this.cells;
    stage.append(el("div", { class: "decoder" }, this.pad.box, el("div", { class: "digits" }, own.box, other.box), input.box));
  }

  /**
   * @param {string} title
   * @returns {Cell}
   */
  cell(title) {
    const canvas = el("canvas", { width: SIDE, height: SIDE, role: "img", "aria-label": title });
    const note = el("span", { "aria-live": "polite" });
    return { title, canvas, note, box: el("figure", {}, el("figcaption", {}, el("b", {}, title)), canvas, note) };
  }

  /**
   * A drawing stays until the slider asks for another of the ten digits.
   * @param {Values} values
   */
  set(values) {
    this.way = values.way ?? "absolute";
    if (this.digit !== undefined && this.digit !== values.digit) this.memory.reply = undefined;
    this.digit = values.digit;
    this.paint();
  }

  /**
   * @param {string} drawing
   * @param {About["ask"]} ask
   */
  drawn(drawing, ask) {
    if (drawing) ask({ drawing });
    else this.reply(undefined);
  }

  /** @param {Decoded | undefined} reply */
  reply(reply) {
    this.memory.reply = reply;
    this.paint();
  }

  paint() {
    const { reply } = this.memory;
    const at = Number(this.digit ?? 0);
    /** @param {string} name */
    const given = (name) => this.arrays[name].subarray(at * SIDE * SIDE, (at + 1) * SIDE * SIDE);
    for (const [name, cell] of Object.entries(this.cells)) {
      const key = name === "input" ? name : `${this.way}_${name}`;
      show(cell.canvas, reply ? (name === "input" ? reply.input : reply.images[key]) : given(key));
      if (name === "input") {
        cell.note.textContent = reply ? "your drawing" : `digit ${at}`;
        continue;
      }
      const error = 100 * (reply ? reply.mse[key] : this.arrays[`mse_${key}`][at]);
      cell.note.replaceChildren("error × 100: ", el("b", { "data-error": error.toFixed(4) }, error.toFixed(1)));
      cell.canvas.setAttribute("aria-label", `${cell.title}: error ${error.toFixed(1)}`);
    }
  }

  release() {
    this.pad.release();
  }
}
