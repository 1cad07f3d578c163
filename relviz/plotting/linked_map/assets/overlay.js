// What lies over the points: names of classes, texts and pictures of rows.

import { drawNames, NAME_FONT, namesIn } from "./class_names.js";
import { inside, pixelOf } from "./geometry.js";
import { boxBeside, drawPictures, PICTURES, shortened, TEXTS } from "./items.js";
import { drawAxes } from "./orbit.js";
import { Taken } from "./placing.js";
/** @import { NamePlate } from "./class_names.js" */
/** @import { Looks } from "./coloring.js" */
/** @import { Plot, Point } from "./geometry.js" */
/** @import { ItemPicture, ItemText, Items, Marks } from "./items.js" */
/** @import { Payload } from "./payload.js" */
/** @import { DrawnPane } from "./picture.js" */
/** @import { Selection } from "./selection.js" */
/** @import { Texts } from "./texts.js" */

/** @typedef {{ font: string, inkCss: string, paperCss: string, ink: number[], paper: number[] }} Theme */
/** @typedef {[from: Point, to: Point]} Way of a row between two panes */
/** @typedef {{ items: (ItemPicture | ItemText)[], names: NamePlate[] }} Shown over the points of a pane */

/**
 * What is known of the rows, for what is drawn over the points.
 * @typedef {object} Known
 * @property {Payload} payload
 * @property {Texts} texts
 * @property {Selection} selection
 * @property {number[]} labeled rows with their text beside them
 * @property {Theme} theme
 * @property {Set<string>} hiddenNames
 * @property {Marks} marks
 * @property {boolean} named
 */

/** @typedef {Known & { items: Items, ratio: number, panes: (DrawnPane | null)[], looks: Looks, moving: boolean }} Scene */

const MOST_LABELS = 30;
const LABEL_LENGTH = 32;
const FONT = 12;
const MOST_WAYS = 500;
const FEW_WAYS = 15;

/**
 * Draw what lies over the points of all panes: whether there is anything, and for each pane its items and names.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @returns {{ any: boolean, shown: Shown[] }}
 */
export function drawOverlay(context, scene) {
  const { ratio, panes, theme } = scene;
  wipe(context, ratio);
  context.textBaseline = "middle";
  let any = false;
  const shown = panes.map((pane) => {
    const side = pane?.side;
    if (side) within(context, pane.plot, () => drawAxes(context, pane.plot, side, theme));
    any ||= side !== undefined;
    if (!pane || scene.moving) return { items: [], names: [] };
    const { ways, names, pictures, texts, labels } = partsOf(context, pane, scene);
    any ||= [ways, names, pictures, texts, labels].some((part) => part.length);
    within(context, pane.plot, () => {
      drawWays(context, ways, theme);
      drawPictures(context, pictures, scene);
      drawLabels(context, texts, theme);
      drawNames(context, names, theme);
      drawLabels(context, labels, theme);
    });
    return { items: [...labels, ...pictures, ...texts], names };
  });
  return { any, shown };
}

/**
 * Each where it lies over nothing: what was asked for first, then names of classes, then what finds room.
 * @param {CanvasRenderingContext2D} context
 * @param {DrawnPane} pane
 * @param {Scene} scene
 */
function partsOf(context, pane, scene) {
  const { marks, named, items, theme } = scene;
  const taken = new Taken();
  context.font = `${FONT}px ${theme.font}`;
  const labels = labelsIn(context, pane, scene, taken);
  context.font = `600 ${NAME_FONT}px ${theme.font}`;
  const names = named ? namesIn(context, pane, scene, taken) : [];
  context.font = `${FONT}px ${theme.font}`;
  const pictures = marks === PICTURES ? items.pictures(pane, scene, taken) : [];
  const texts = marks === TEXTS ? items.labels(context, pane, scene, taken) : [];
  return { ways: waysIn(pane, scene), names, pictures, texts, labels };
}

/**
 * Empty a canvas, and have its unit be a pixel of the page.
 * @param {CanvasRenderingContext2D} context
 * @param {number} ratio
 */
function wipe(context, ratio) {
  const { width, height } = context.canvas;
  context.setTransform(1, 0, 0, 1, 0, 0);
  // In two parts: a frame that does nothing but clear all of a canvas is dropped by Chromium at times.
  context.clearRect(0, 0, width, height - 1);
  context.clearRect(0, height - 1, width, 1);
  context.scale(ratio, ratio);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Plot} plot
 * @param {() => void} draw
 */
function within(context, { left, top, width, height }, draw) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  draw();
  context.restore();
}

/**
 * From where rows lie in the joined pane to where they lie in this one: of those selected, or of a few.
 * @param {DrawnPane} pane
 * @param {Scene} scene
 * @returns {Way[]}
 */
function waysIn({ positions, frame, joined }, { looks, selection }) {
  if (!joined) return [];
  const chosen = selection.count ? selection.rows() : undefined;
  const rows = chosen ? spread(chosen.length, MOST_WAYS).map((at) => chosen[at]) : spread(looks.hidden.length, FEW_WAYS);
  return rows.filter((row) => !looks.hidden[row]).map((row) => [
    pixelOf(joined.positions, row, joined.frame), pixelOf(positions, row, frame),
  ]);
}

/**
 * At most so many of the numbers below `count`, from the first on, evenly.
 * @param {number} count
 * @param {number} most
 */
function spread(count, most) {
  const step = Math.max(1, count / most);
  return Array.from({ length: Math.min(count, most) }, (_, i) => Math.ceil(i * step));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Way[]} ways
 * @param {Theme} theme
 */
function drawWays(context, ways, theme) {
  context.globalAlpha = ways.length > 100 ? 0.35 : 0.7;
  context.strokeStyle = theme.inkCss;
  context.lineWidth = 1;
  context.beginPath();
  for (const [from, to] of ways) {
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.rect(from.x - 2.5, from.y - 2.5, 5, 5);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * Texts beside chosen points; where one would lie over another, it is left out.
 * @param {CanvasRenderingContext2D} context
 * @param {DrawnPane} pane
 * @param {Scene} scene
 * @param {Taken} taken
 * @returns {ItemText[]}
 */
function labelsIn(context, { positions, frame, plot }, { texts, labeled, looks }, taken) {
  const labels = [];
  for (const row of labeled.slice(0, MOST_LABELS)) {
    if (looks.hidden[row]) continue;
    const { x, y } = pixelOf(positions, row, frame);
    const item = inside(plot, x, y) && texts.get(row)?.item;
    if (!item) continue;
    const text = shortened(item, LABEL_LENGTH);
    const [left, top, right, bottom] = boxBeside(x, y, context.measureText(text).width, plot);
    if (taken.claim(left, top, right, bottom)) labels.push({ row, text, left, right, y });
  }
  return labels;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {ItemText[]} labels
 * @param {Theme} theme
 */
function drawLabels(context, labels, theme) {
  context.font = `${FONT}px ${theme.font}`;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = theme.paperCss;
  context.fillStyle = theme.inkCss;
  for (const { text, left, y } of labels) {
    context.strokeText(text, left, y);
    context.fillText(text, left, y);
  }
}
