// Arrays as Python sends them, and pictures of items on one sheet.

/** @typedef {(Float32Array | Int32Array | Int16Array | Uint8Array) & { shape: number[] }} Shaped an array as Python has it */
/** @typedef {{ texts: Record<string, string[]>, arrays: Record<string, { kind: keyof typeof KINDS, shape: number[], data: string }> }} PictureData */
/** @typedef {{ image: HTMLImageElement, cell: number, columns: number }} Sheet a picture of each row, side by side */

const KINDS = { Float32Array, Int32Array, Int16Array, Uint8Array };

/**
 * The arrays of a picture by name: typed arrays that know their `shape`.
 * @param {PictureData} picture
 * @returns {Record<string, Shaped>}
 */
export function arraysOf(picture) {
  /** @type {Record<string, Shaped>} */
  const found = {};
  for (const [name, { kind, shape, data }] of Object.entries(picture.arrays)) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    found[name] = Object.assign(new KINDS[kind](bytes.buffer), { shape });
  }
  return found;
}

const sheets = new Map();

/**
 * An image that is loaded once; `then` is called when it is there.
 * @param {string} url
 * @param {() => void} then
 */
export function sheetImage(url, then) {
  let entry = sheets.get(url);
  if (!entry) {
    const image = new Image();
    const ready = new Promise((resolve) => {
      image.addEventListener("load", resolve);
    });
    entry = { image, ready };
    image.src = url;
    sheets.set(url, entry);
  }
  entry.ready.then(then);
  return entry.image;
}

/**
 * Draw the picture of a row of the sheet, its middle at a place.
 * @param {CanvasRenderingContext2D} context
 * @param {Sheet} sheet
 * @param {number} row
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function drawItem(context, sheet, row, x, y, size) {
  const { image, cell, columns } = sheet;
  if (!image.complete || !image.naturalWidth) return;
  const left = (row % columns) * cell;
  const top = Math.floor(row / columns) * cell;
  context.drawImage(image, left + 0.5, top + 0.5, cell - 1, cell - 1, x - size / 2, y - size / 2, size, size);
}
