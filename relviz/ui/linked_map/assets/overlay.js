// What lies over the points: rings and lines of the item pointed at, labels, pictures, the lasso.

import { inside, pixelOf } from "./geometry.js";

const MOST_PICTURES = 150;
const MOST_LABELS = 30;
const LABEL_LENGTH = 32;

/** Draw the overlay of all panes; `scene` holds what the map knows. */
export function drawOverlay(context, scene) {
  const { ratio, panes, theme } = scene;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = `12px ${theme.font}`;
  context.textBaseline = "middle";
  for (const pane of panes) {
    if (!pane || scene.moving) continue;
    within(context, pane.plot, () => {
      drawPictures(context, pane, scene);
      drawLabels(context, pane, scene);
    });
  }
  if (scene.row >= 0 && !scene.moving) drawPlaces(context, scene);
  if (scene.shape) drawShape(context, scene.shape, theme);
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
function drawPictures(context, pane, { texts, looks, selected, selectedCount }) {
  if (!texts.sprite || pane.view.zoom < 1.5) return;
  const { positions, frame, plot } = pane;
  const seen = [];
  for (let row = 0; row < looks.hidden.length; row++) {
    if (looks.hidden[row]) continue;
    const { x, y } = pixelOf(positions, row, frame);
    if (!inside(plot, x, y)) continue;
    if (seen.push({ row, x, y }) > MOST_PICTURES) return;
  }
  const side = Math.max(18, Math.min(32, Math.sqrt((plot.width * plot.height) / (seen.length + 1)) / 3));
  for (const { row, x, y } of seen) {
    context.globalAlpha = selectedCount && !selected[row] ? 0.2 : 1;
    texts.drawPicture(context, row, x - side / 2, y - side / 2, side);
  }
  context.globalAlpha = 1;
}

/** Texts beside chosen points, most of the time all of them; none lies over another. */
function drawLabels(context, pane, { texts, labelled, theme, looks }) {
  const taken = [];
  for (const row of labelled.slice(0, MOST_LABELS)) {
    if (looks.hidden[row]) continue;
    const { x, y } = pixelOf(pane.positions, row, pane.frame);
    const text = inside(pane.plot, x, y) && texts.get(row)?.item;
    if (!text) continue;
    const letters = Array.from(text);
    const shown = letters.length > LABEL_LENGTH ? `${letters.slice(0, LABEL_LENGTH).join("")}…` : text;
    const width = context.measureText(shown).width;
    const toTheLeft = x + 8 + width > pane.plot.left + pane.plot.width;
    const left = toTheLeft ? x - 8 - width : x + 8;
    if (taken.some((other) => Math.abs(other.y - y) < 14 && left < other.right && left + width > other.left)) continue;
    taken.push({ left, right: left + width, y });
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = theme.paperCss;
    context.strokeText(shown, left, y);
    context.fillStyle = theme.inkCss;
    context.fillText(shown, left, y);
  }
}

/** Rings round an item in every pane, joined by lines across and down. */
function drawPlaces(context, { panes, row, theme, size }) {
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
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
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
