// A pad to draw on: white on black, and the drawing is sent as gray bytes, SENT pixels square.

/** @typedef {{ data?: { begun?: string }, parentElement: HTMLElement | ShadowRoot, setStateValue: (name: string, value: string) => void }} Component */
/** @typedef {[x: number, y: number]} Place on the canvas, in its own pixels */

const SENT = 56;
const BRUSH = 22;
const EVERY_MS = 250;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
function contextOf(canvas, settings) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));
}

/**
 * What is on the canvas, as base64 of SENT × SENT bytes; an empty text where nothing is.
 * @param {HTMLCanvasElement} canvas
 */
function grayBytes(canvas) {
  const small = document.createElement("canvas");
  small.width = small.height = SENT;
  const context = contextOf(small, { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  context.drawImage(canvas, 0, 0, SENT, SENT);
  const { data } = context.getImageData(0, 0, SENT, SENT);
  const gray = Uint8Array.from({ length: SENT * SENT }, (_, at) => data[4 * at]);
  return gray.some(Boolean) ? btoa(String.fromCharCode(...gray)) : "";
}

/** @param {HTMLCanvasElement} canvas */
function blank(canvas) {
  const context = contextOf(canvas);
  context.fillStyle = "#000";
  context.fillRect(0, 0, canvas.width, canvas.height);
}

/**
 * Paint base64 of gray bytes, a square of them, over the whole canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {string} begun
 */
function paint(canvas, begun) {
  const gray = Uint8Array.from(atob(begun), (letter) => letter.charCodeAt(0));
  const small = document.createElement("canvas");
  small.width = small.height = Math.sqrt(gray.length);
  const context = contextOf(small);
  const pixels = context.createImageData(small.width, small.height);
  gray.forEach((value, at) => pixels.data.set([value, value, value, 255], 4 * at));
  context.putImageData(pixels, 0, 0);
  contextOf(canvas).drawImage(small, 0, 0, canvas.width, canvas.height);
}

/**
 * The place of a pointer on the canvas, in its own pixels.
 * @param {HTMLCanvasElement} canvas
 * @param {PointerEvent} event
 * @returns {Place}
 */
function place(canvas, event) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return [((event.clientX - left) / width) * canvas.width, ((event.clientY - top) / height) * canvas.height];
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Place} from
 * @param {Place} to
 */
function stroke(canvas, from, to) {
  const context = contextOf(canvas);
  context.strokeStyle = "#fff";
  context.lineWidth = BRUSH;
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

/** @param {Component} component */
export default function ({ data, parentElement, setStateValue }) {
  const canvas = /** @type {HTMLCanvasElement} */ (parentElement.querySelector("canvas"));
  if (canvas.dataset.ready) return undefined; // drawn on already: an update of the page leaves it alone
  canvas.dataset.ready = "yes";
  blank(canvas);
  if (data?.begun) paint(canvas, data.begun);
  /** @type {Place | undefined} */
  let last;
  /** @type {number | undefined} */
  let waiting;

  const tell = () => {
    clearTimeout(waiting);
    waiting = undefined;
    setStateValue("drawn", grayBytes(canvas));
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    last = place(canvas, event);
    stroke(canvas, last, last);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    for (const each of event.getCoalescedEvents?.() ?? [event]) {
      const here = place(canvas, each);
      stroke(canvas, last, here);
      last = here;
    }
    waiting ??= setTimeout(tell, EVERY_MS);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, () => {
      if (last) tell();
      last = undefined;
    });
  }
  const clear = () => {
    blank(canvas);
    tell();
  };
  parentElement.querySelector("button")?.addEventListener("click", clear);
  canvas.addEventListener("keydown", ({ key }) => {
    if (key === "Delete" || key === "Backspace" || key === "Escape") clear();
  });
  return () => clearTimeout(waiting);
}
