// What lies over the points: rings and lines of the item pointed at, labels, pictures, the lasso.

import { inside, pixelOf } from "./geometry.js";

const MOST_PICTURES = 150;
const MOST_LABELS = 30;
const LABEL_LENGTH = 32;

/** Draw the overlay of all panes; `scene` holds what the map knows. */
export function drawOverlay(context, scene) {
  const { ratio, panes, theme } = scene;
  wipe(context, ratio);
  context.font = `12px ${theme.font}`;
  context.textBaseline = "middle";
  for (const pane of panes) {
    if (!pane || scene.moving) continue;
    const [pictures, labels] = [picturesIn(pane, scene), labelsIn(context, pane, scene)];
    if (!pictures.length && !labels.length) continue;
    within(context, pane.plot, () => {
      drawPictures(context, pictures, scene);
      drawLabels(context, labels, theme);
    });
  }
  const { row, selection, moving } = scene;
  const ringed = new Set(selection.count === 1 ? selection.rows() : []);
  if (row >= 0) ringed.add(row);
  for (const one of moving ? [] : ringed) drawPlaces(context, scene, one);
  if (scene.shape) drawShape(context, scene.shape, theme);
}

/** Empty a canvas, and have its unit be a pixel of the page. */
function wipe(context, ratio) {
  const { width, height } = context.canvas;
  context.setTransform(1, 0, 0, 1, 0, 0);
  // In two parts: a frame that does nothing but clear all of a canvas is dropped by Chromium at times.
  context.clearRect(0, 0, width, height - 1);
  context.clearRect(0, height - 1, width, 1);
  context.scale(ratio, ratio);
}

function within(context, { left, top, width, height }, draw) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  draw();
  context.restore();
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
function labelsIn(context, { positions, frame, plot }, { texts, labelled, looks }) {
  const labels = [];
  for (const row of labelled.slice(0, MOST_LABELS)) {
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

/** Rings round an item in every pane, joined by lines across and down; nothing is dimmed for one item. */
function drawPlaces(context, { panes, theme, size }, row) {
  const places = panes.map((pane) => pane && { ...pixelOf(pane.positions, row, pane.frame), plot: pane.plot });
  context.lineWidth = 1.25;
  context.strokeStyle = theme.accent;
  context.globalAlpha = 0.6;
  for (const [a, b] of [[0, 1], [2, 3], [0, 2], [1, 3]]) {
    if (!places[a] || !places[b]) continue;
    const [from, to] = [clamped(places[a]), clamped(places[b])];
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
  context.globalAlpha = 1;
  for (const place of places) {
    if (!place || !inside(place.plot, place.x, place.y)) continue;
    for (const [colour, width] of [[theme.paperCss, 5], [theme.accent, 2.5]]) {
      context.beginPath();
      context.arc(place.x, place.y, size / 2 + 4, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    }
  }
}

function clamped({ x, y, plot }) {
  return {
    x: Math.min(Math.max(x, plot.left), plot.left + plot.width),
    y: Math.min(Math.max(y, plot.top), plot.top + plot.height),
  };
}

function drawShape(context, { plot, polygon }, theme) {
  within(context, plot, () => {
    context.beginPath();
    for (let i = 0; i < polygon.length; i += 2) context.lineTo(polygon[i], polygon[i + 1]);
    context.closePath();
    context.globalAlpha = 0.12;
    context.fillStyle = theme.accent;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.strokeStyle = theme.accent;
    context.setLineDash([5, 4]);
    context.stroke();
  });
}

/** How dense all rows are, behind the sampled ones. */
export function drawDensity(context, { ratio, panes, theme }) {
  wipe(context, ratio);
  context.imageSmoothingEnabled = true;
  for (const pane of panes) {
    if (!pane?.density) continue;
    const image = densityImage(pane.density, theme);
    const { frame, plot } = pane;
    const [width, height] = [65535 * frame.sx, -65535 * frame.sy];
    within(context, plot, () => context.drawImage(image, frame.ox, frame.oy - height, width, height));
  }
}

const images = new WeakMap();

function densityImage(density, { ink, inkCss }) {
  const known = images.get(density);
  if (known?.inkCss === inkCss) return known.canvas;
  const side = Math.sqrt(density.length);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [side, side];
  const context = canvas.getContext("2d");
  const image = context.createImageData(side, side);
  for (let i = 0; i < density.length; i++) {
    image.data.set([255 * ink[0], 255 * ink[1], 255 * ink[2], density[i] * 0.35], 4 * i);
  }
  context.putImageData(image, 0, 0);
  images.set(density, { inkCss, canvas });
  return canvas;
}
