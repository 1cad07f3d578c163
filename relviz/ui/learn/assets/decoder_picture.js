// A digit, and what the decoder of its own model and that of another one make of it: one that is drawn, or one of ten.

import { el } from "./dom.js";
import { Pad } from "./pad.js";

const SIDE = 28;

/** A gray image on a canvas of its own size. */
function show(canvas, bytes) {
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(SIDE, SIDE);
  bytes.forEach((value, at) => pixels.data.set([value, value, value, 255], 4 * at));
  context.putImageData(pixels, 0, 0);
}

export class DecoderPicture {
  constructor(stage, { arrays, ask }, memory) {
    Object.assign(this, { arrays, memory });
    this.pad = new Pad((drawn) => this.drawn(drawn, ask), memory);
    this.cells = Object.fromEntries([["input", "Input"], ["own", "Own decoder"], ["other", "Other model's decoder"]].map(([name, title]) => [name, this.cell(title)]));
    const { input, own, other } = this.cells;
    stage.append(el("div", { class: "decoder" }, this.pad.box, el("div", { class: "digits" }, own.box, other.box), input.box));
  }

  cell(title) {
    const canvas = el("canvas", { width: SIDE, height: SIDE, role: "img", "aria-label": title });
    const note = el("span", { "aria-live": "polite" });
    return { title, canvas, note, box: el("figure", {}, el("figcaption", {}, el("b", {}, title)), canvas, note) };
  }

  /** A drawing stays until the slider asks for another of the ten digits. */
  set(values) {
    this.way = values.way ?? "absolute";
    if (this.digit !== undefined && this.digit !== values.digit) this.memory.reply = undefined;
    this.digit = values.digit;
    this.paint();
  }

  drawn(drawing, ask) {
    if (drawing) ask({ drawing });
    else this.reply(undefined);
  }

  reply(reply) {
    this.memory.reply = reply;
    this.paint();
  }

  paint() {
    const { reply } = this.memory;
    const at = Number(this.digit ?? 0);
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
