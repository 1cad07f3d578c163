// A pad to draw on, white on black; the drawing is sent as base64 of gray bytes, SENT pixels square.

import { contextOf, el } from "./dom.js";
/** @import { Place } from "./class_names.js" */

/** @typedef {{ strokes?: ImageData }} PadMemory */

const SENT = 56;
const SIDE = 280;
const BRUSH = 22;
const EVERY_MS = 250;

/** A canvas to draw on with its button; `onDraw(text)` is called while somebody draws, an empty text once cleared. */
export class Pad {
  /** @type {Place | undefined} of the pointer that draws */ last;
  /** @type {number | undefined} */ waiting;

  /**
   * @param {(drawing: string) => void} onDraw
   * @param {PadMemory} memory
   */
  constructor(onDraw, memory) {
    this.onDraw = onDraw;
    this.memory = memory;
    this.canvas = el("canvas", { class: "padcanvas", width: SIDE, height: SIDE, tabindex: 0, role: "img", "aria-label": "Draw a digit with the mouse, a finger or a pen; the slider shows ready-made digits" });
    this.box = el("div", { class: "pad" }, el("b", {}, "Draw a digit"), this.canvas, el("button", { type: "button", class: "quiet", onclick: () => this.clear() }, "Clear the pad"));
    this.blank();
    if (memory.strokes) this.context.putImageData(memory.strokes, 0, 0);
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      const here = this.place(event);
      this.stroke(here, here);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!this.last) return;
      for (const each of event.getCoalescedEvents?.() ?? [event]) this.stroke(this.last, this.place(each));
      this.waiting ??= setTimeout(() => this.tell(), EVERY_MS);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      this.canvas.addEventListener(end, () => {
        if (this.last) this.tell();
        this.last = undefined;
      });
    }
    this.canvas.addEventListener("keydown", ({ key }) => {
      if (["Delete", "Backspace", "Escape"].includes(key)) this.clear();
    });
  }

  get context() {
    return contextOf(this.canvas, { willReadFrequently: true });
  }

  /**
   * @param {PointerEvent} event
   * @returns {Place}
   */
  place({ clientX, clientY }) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return [((clientX - left) / width) * SIDE, ((clientY - top) / height) * SIDE];
  }

  /**
   * @param {Place} from
   * @param {Place} to
   */
  stroke(from, to) {
    const { context } = this;
    Object.assign(context, { strokeStyle: "#fff", lineWidth: BRUSH, lineCap: "round", lineJoin: "round" });
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
    this.last = to;
  }

  blank() {
    this.context.fillStyle = "#000";
    this.context.fillRect(0, 0, SIDE, SIDE);
  }

  clear() {
    this.blank();
    this.tell();
  }

  tell() {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    const small = document.createElement("canvas");
    small.width = small.height = SENT;
    const context = contextOf(small, { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    context.drawImage(this.canvas, 0, 0, SENT, SENT);
    const { data } = context.getImageData(0, 0, SENT, SENT);
    const gray = Uint8Array.from({ length: SENT * SENT }, (_, at) => data[4 * at]);
    this.memory.strokes = this.context.getImageData(0, 0, SIDE, SIDE);
    this.onDraw(gray.some(Boolean) ? btoa(String.fromCharCode(...gray)) : "");
  }

  release() {
    clearTimeout(this.waiting);
  }
}
