// What lies over the points: labels and pictures of rows.

import { inside, pixelOf } from "./geometry.js";

const MOST_PICTURES = 150;
const MOST_LABELS = 30;
const LABEL_LENGTH = 32;
const MOST_WAYS = 500;
const FEW_WAYS = 15;

/** Draw pictures and labels of all panes; `scene` holds what the map knows. False if there are none. */
export function drawOverlay(context, scene) {
  const { ratio, panes, theme } = scene;
  wipe(context, ratio);
  context.font = `12px ${theme.font}`;
  context.textBaseline = "middle";
  let any = false;
  for (const pane of panes) {
    if (!pane || scene.moving) continue;
    const [pictures, labels] = [picturesIn(pane, scene), labelsIn(context, pane, scene)];
    const ways = waysIn(pane, scene);
    if (!pictures.length && !labels.length && !ways.length) continue;
    any = true;
    within(context, pane.plot, () => {
      drawWays(context, ways, theme);
      drawPictures(context, pictures, scene);
      drawLabels(context, labels, theme);
    });
  }
  return any;
}

/** Empty a canvas, and have its unit be a pixel of the page. */
export function wipe(context, ratio) {
  const { width, height } = context.canvas;
  context.setTransform(1, 0, 0, 1, 0, 0);
  // In two parts: a frame that does nothing but clear all of a canvas is dropped by Chromium at times.
  context.clearRect(0, 0, width, height - 1);
  context.clearRect(0, height - 1, width, 1);
  context.scale(ratio, ratio);
}

export function within(context, { left, top, width, height }, draw) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  draw();
  context.restore();
}

/** From where rows lie in the joined pane to where they lie in this one: of those selected, or of a few. */
function waysIn({ positions, frame, joined }, { looks, selection }) {
  if (!joined) return [];
  const rows = selection.count ? spread([...selection.rows()], MOST_WAYS) : spread([...looks.hidden.keys()], FEW_WAYS);
  return rows.filter((row) => !looks.hidden[row]).map((row) => [
    pixelOf(joined.positions, row, joined.frame), pixelOf(positions, row, frame),
  ]);
}

/** At most so many of the rows, from the first to the last. */
function spread(rows, most) {
  const step = Math.max(1, rows.length / most);
  return rows.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

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

/** Pictures in place of the points, once few enough are in sight to be told apart. */
function picturesIn({ positions, frame, plot, view }, { texts, looks }) {
  const seen = [];
  if (!texts.sprite || view.zoom < 1.5) return seen;
  for (let row = 0; row < looks.hidden.length; row++) {
    if (looks.hidden[row]) continue;
    const { x, y } = pixelOf(positions, row, frame);
    if (!inside(plot, x, y)) continue;
    if (seen.push({ row, x, y }) > MOST_PICTURES) return [];
  }
  const side = Math.max(18, Math.min(32, Math.sqrt((plot.width * plot.height) / (seen.length + 1)) / 3));
  return seen.map((place) => ({ ...place, side }));
}

function drawPictures(context, pictures, { texts, selection }) {
  for (const { row, x, y, side } of pictures) {
    context.globalAlpha = selection.count > 1 && !selection.marks[row] ? 0.2 : 1;
    texts.drawPicture(context, row, x - side / 2, y - side / 2, side);
  }
  context.globalAlpha = 1;
}

/** Texts beside chosen points; where one would lie over another, it is left out. */
function labelsIn(context, { positions, frame, plot }, { texts, labeled, looks }) {
  const labels = [];
  for (const row of labeled.slice(0, MOST_LABELS)) {
    if (looks.hidden[row]) continue;
    const { x, y } = pixelOf(positions, row, frame);
    const item = inside(plot, x, y) && texts.get(row)?.item;
    if (!item) continue;
    const letters = Array.from(item);
    const text = letters.length > LABEL_LENGTH ? `${letters.slice(0, LABEL_LENGTH).join("")}…` : item;
    const width = context.measureText(text).width;
    const left = x + 8 + width > plot.left + plot.width ? x - 8 - width : x + 8;
    const right = left + width;
    if (labels.some((other) => Math.abs(other.y - y) < 14 && left < other.right && right > other.left)) continue;
    labels.push({ text, left, right, y });
  }
  return labels;
}

function drawLabels(context, labels, theme) {
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = theme.paperCss;
  context.fillStyle = theme.inkCss;
  for (const { text, left, y } of labels) {
    context.strokeText(text, left, y);
    context.fillText(text, left, y);
  }
}
