// Items that stand on the map themselves: their pictures in place of dots, or short texts beside them.

import { HOLLOW_STAR, STAR } from "./coloring.js";
import { inside, pixelOf, STEPS } from "./geometry.js";
import { Appearing } from "./placing.js";
/** @import { Looks } from "./coloring.js" */
/** @import { Plot } from "./geometry.js" */
/** @import { Scene } from "./overlay.js" */
/** @import { Payload } from "./payload.js" */
/** @import { DrawnPane } from "./picture.js" */
/** @import { Corners, Taken } from "./placing.js" */
/** @import { Selection } from "./selection.js" */

/** @typedef {"dots" | "pictures" | "texts"} Marks */
/** @typedef {{ row: number, x: number, y: number, side: number }} ItemPicture */
/** @typedef {{ row: number, text: string, left: number, right: number, y: number, side?: undefined }} ItemText */
/** @typedef {(x: number, y: number, row: number, zoom: number) => Corners} BoxOf */

export const DOTS = /** @type {const} */ ("dots");
export const PICTURES = /** @type {const} */ ("pictures");
export const TEXTS = /** @type {const} */ ("texts");

const [SIDE, SMALLEST, LARGEST] = [24, 16, 40];
const RIM = 2;
const LONGEST = 22; // characters of a text
export const BESIDE = 7; // pixels from a point to its text
export const LINE = 14;
const STAR_ROOM = 7;
const MOST_KEPT = 8;
const MANY = 50_000;
const ASKED = 4000; // of very many rows those that are asked on a plot whether they find room

/**
 * Pixels of a picture at a zoom; it grows more slowly than the map.
 * @param {number} zoom
 */
export function sideOf(zoom) {
  return Math.min(LARGEST, Math.max(SMALLEST, SIDE * zoom ** 0.25));
}

/**
 * A text cut to some characters.
 * @param {string} text
 * @param {number} most
 */
export function shortened(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join("").trimEnd()}…` : text;
}

/**
 * The marks that can be had of what a map shows.
 * @param {Payload} payload
 * @returns {Marks[]}
 */
export function marksOf({ sprite, texts }) {
  return [DOTS, ...(sprite ? [PICTURES] : []), ...(texts ? [TEXTS] : [])];
}

export class Items {
  /** @type {Marks} */ marks = DOTS;
  which = "";
  /** @type {string | undefined} */ url;

  constructor() {
    /** @type {Map<string, Appearing>} */
    this.kept = new Map();
    /** @type {{ text: string, width: number }[]} */
    this.texts = [];
  }

  /**
   * Take what is shown: `which` says which rows can be seen.
   * @param {Marks} marks
   * @param {string} which
   */
  take(marks, which) {
    if (this.marks !== marks || this.which !== which) this.kept.clear();
    [this.marks, this.which] = [marks, which];
  }

  /**
   * Pictures in sight, those selected before others: row, middle and side in pixels. Stars stay to be seen.
   * @param {DrawnPane} pane
   * @param {Scene} scene
   * @param {Taken} taken
   */
  pictures(pane, { texts, looks, selection }, taken) {
    if (!texts.sprite) return [];
    const { positions, frame, plot, view } = pane;
    takeStars(pane, looks, taken);
    const side = sideOf(view.zoom);
    const half = side / 2 + RIM;
    /** @type {BoxOf} */
    const boxOf = (x, y, _, zoom) => boxAround(x, y, sideOf(zoom) / 2 + RIM);
    const found = [];
    for (const row of this.asked(pane, looks, selection, boxOf, SIDE)) {
      if (looks.hidden[row] || isStar(looks.shape[row])) continue;
      const { x, y } = pixelOf(positions, row, frame);
      if (inside(plot, x, y) && taken.claim(...boxAround(x, y, half))) found.push({ row, x, y, side });
    }
    return found;
  }

  /**
   * Texts in sight, to the right of their points or where that is cut, to the left; none until they have come.
   * @param {CanvasRenderingContext2D} context
   * @param {DrawnPane} pane
   * @param {Scene} scene
   * @param {Taken} taken
   */
  labels(context, pane, { texts, looks, selection }, taken) {
    if (!texts.atHand()) return [];
    this.takeTexts(texts.url);
    const { positions, frame, plot } = pane;
    /** @param {number} row */
    const textOf = (row) => (this.texts[row] ??= measured(context, texts.get(row)?.item ?? ""));
    /** @type {BoxOf} */
    const boxOf = (x, y, row) => boxBeside(x, y, textOf(row).width);
    const found = [];
    for (const row of this.asked(pane, looks, selection, boxOf, 2 * LINE)) {
      if (looks.hidden[row]) continue;
      const { x, y } = pixelOf(positions, row, frame);
      if (!inside(plot, x, y)) continue;
      const { text, width } = textOf(row);
      const [left, top, right, bottom] = boxBeside(x, y, width, plot);
      if (text && left >= plot.left && taken.claim(left, top, right, bottom)) found.push({ row, text, left, right, y });
    }
    return found;
  }

  /**
   * Other texts are of another width.
   * @param {string | undefined} url
   */
  takeTexts(url) {
    if (this.url === url) return;
    this.url = url;
    this.texts = [];
    this.kept.clear();
  }

  /**
   * Rows that show themselves where they find room, those selected before others.
   * @param {DrawnPane} pane
   * @param {Looks} looks
   * @param {Selection} selection
   * @param {BoxOf} boxOf
   * @param {number} cell
   */
  asked(pane, looks, selection, boxOf, cell) {
    const others = looks.hidden.length > MANY ? someInSight(pane, looks) : this.appearing(pane, looks, boxOf, cell).at(pane.view.zoom);
    return [...selection.rows().subarray(0, ASKED), ...others];
  }

  /**
   * Which rows appear at which zoom in a pane; found once for its points and size.
   * @param {DrawnPane} pane
   * @param {Looks} looks
   * @param {BoxOf} boxOf
   * @param {number} cell
   * @returns {Appearing}
   */
  appearing({ positions, plot, to }, looks, boxOf, cell) {
    const key = [to.digest, plot.width, plot.height].join(" ");
    let found = this.kept.get(key);
    if (!found) {
      const side = Math.min(plot.width, plot.height);
      const [sx, sy] = [(to.frame.sx * side) / STEPS, (-to.frame.sy * side) / STEPS];
      const rows = [];
      for (let row = 0; row < looks.hidden.length; row++) {
        if (!looks.hidden[row] && (this.marks !== PICTURES || !isStar(looks.shape[row]))) rows.push(row);
      }
      /** @type {(row: number, zoom: number) => Corners} */
      const scaled = (row, zoom) => boxOf(positions[2 * row] * sx * zoom, positions[2 * row + 1] * sy * zoom, row, zoom);
      if (this.kept.size > MOST_KEPT) this.kept.clear();
      found = new Appearing(rows, scaled, cell);
      this.kept.set(key, found);
    }
    return found;
  }
}

/**
 * Of very many rows some in sight: each has a lot, and as one zooms in more lots are drawn.
 * @param {DrawnPane} pane
 * @param {Looks} looks
 */
function someInSight({ positions, frame, plot, view }, { hidden }) {
  const most = ((ASKED * view.zoom ** 2) / hidden.length) * 2 ** 32;
  const rows = [];
  for (let row = 0; row < hidden.length; row++) {
    if (hidden[row] || lotOf(row) >= most) continue;
    const { x, y } = pixelOf(positions, row, frame);
    if (inside(plot, x, y)) rows.push(row);
  }
  return rows.sort((one, other) => lotOf(one) - lotOf(other)).slice(0, ASKED);
}

/**
 * A number from 0 to 2 ** 32 that is spread evenly over any rows in succession (Knuth's multiplicative hash).
 * @param {number} row
 */
function lotOf(row) {
  return Math.imul(row + 1, 0x9e3779b1) >>> 0;
}

/** @param {number} shape */
function isStar(shape) {
  return shape === STAR || shape === HOLLOW_STAR;
}

/**
 * Stars are drawn last, so they are the last of the order.
 * @param {DrawnPane} pane
 * @param {Looks} looks
 * @param {Taken} taken
 */
function takeStars({ positions, frame }, { order, shape }, taken) {
  for (let i = order.length - 1; i >= 0 && isStar(shape[order[i]]); i--) {
    const { x, y } = pixelOf(positions, order[i], frame);
    taken.take(...boxAround(x, y, STAR_ROOM));
  }
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} half
 * @returns {Corners}
 */
function boxAround(x, y, half) {
  return [x - half, y - half, x + half, y + half];
}

/**
 * Left, top, right and bottom of a text beside a point: on its right, unless a plot cuts it there.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {Plot} [plot]
 * @returns {Corners}
 */
export function boxBeside(x, y, width, plot) {
  const cut = plot && x + BESIDE + width > plot.left + plot.width;
  const left = cut ? x - BESIDE - width : x + BESIDE;
  return [left, y - LINE / 2, left + width, y + LINE / 2];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} item
 */
function measured(context, item) {
  const text = shortened(item, LONGEST);
  return { text, width: context.measureText(text).width };
}

/**
 * Draw pictures, each in a frame of its row's color.
 * @param {CanvasRenderingContext2D} context
 * @param {ItemPicture[]} pictures
 * @param {Scene} scene
 */
export function drawPictures(context, pictures, { texts, selection, looks, theme }) {
  for (const { row, x, y, side } of pictures) {
    const [red, green, blue] = looks.rgba.subarray(4 * row, 4 * row + 3);
    const [left, top] = [x - side / 2, y - side / 2];
    context.globalAlpha = selection.count > 1 && !selection.marks[row] ? 0.2 : 1;
    context.fillStyle = theme.paperCss;
    context.fillRect(left, top, side, side);
    texts.drawPicture(context, row, left, top, side);
    context.strokeStyle = `rgb(${red} ${green} ${blue})`;
    context.lineWidth = 1.5;
    context.strokeRect(left - 0.75, top - 0.75, side + 1.5, side + 1.5);
  }
  context.globalAlpha = 1;
}

/**
 * The row whose picture or text lies under a pixel, or -1.
 * @param {(ItemPicture | ItemText)[]} shown
 * @param {number} x
 * @param {number} y
 */
export function itemAt(shown, x, y) {
  const found = shown.find((one) =>
    one.side !== undefined
      ? Math.abs(x - one.x) <= one.side / 2 && Math.abs(y - one.y) <= one.side / 2
      : x >= one.left && x <= one.right && Math.abs(y - one.y) <= LINE / 2,
  );
  return found ? found.row : -1;
}
