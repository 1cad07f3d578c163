// The picture: both panes with every item's picture, and the line to what B finds.

import { isAnchor, panes, spot } from "./model.js";
/** @import { Model, Pane, Sheet } from "./model.js" */

const TOP = 30;
const BIG = 44;

/**
 * The sheet at another cell size, so that drawing 3,812 pictures a frame scales nothing.
 * @param {HTMLImageElement} image
 * @param {Sheet} sheet
 * @param {number} rows
 * @param {number} size
 */
function scaled(image, { cell, columns }, rows, size) {
  const made = document.createElement("canvas");
  made.width = columns * size;
  made.height = Math.ceil(rows / columns) * size;
  const context = /** @type {CanvasRenderingContext2D} */ (made.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, columns * cell, Math.ceil(rows / columns) * cell, 0, 0, made.width, made.height);
  return made;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Model} model
 * @param {HTMLImageElement} image
 */
export function makeScene(canvas, model, image) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const { rows, sheet, models } = model;
  const spots = [new Float32Array(2 * rows), new Float32Array(2 * rows)];
  let [ratio, size, stage] = [1, 0, { width: 0, height: 0 }];
  let small = document.createElement("canvas");
  let colors = { ink: "", back: "", soft: "", good: "", bad: "", font: "", line: "" };

  /**
   * Take on the size of the stage, within a canvas that is at least as large.
   * @param {number} width
   * @param {number} height
   */
  function resize(width, height) {
    ratio = Math.min(2, window.devicePixelRatio || 1);
    stage = { width, height };
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    const [pane] = panes(width, height);
    const side = Math.min(26, Math.max(11, Math.sqrt((pane.width * pane.height) / rows) * 1.7));
    size = Math.round(side * ratio);
    small = scaled(image, sheet, rows, size);
    const style = getComputedStyle(canvas);
    /** @param {string} name */
    const read = (name) => style.getPropertyValue(name).trim();
    colors = { ink: read("--st-text-color"), back: read("--st-background-color"), soft: read("--st-secondary-background-color"), good: read("--good"), bad: read("--bad"), font: read("--st-font"), line: read("--line") };
  }

  /** @param {Float32Array} places */
  function place(places) {
    const both = panes(stage.width, stage.height);
    const inset = size / ratio / 2 + 4;
    for (const side of [0, 1]) {
      for (let row = 0; row < rows; row++) {
        const [x, y] = spot(both[side], places, rows, side, row, inset, TOP + inset - 4);
        spots[side][2 * row] = x;
        spots[side][2 * row + 1] = y;
      }
    }
    return both;
  }

  /** @param {Pane} pane */
  function box(pane) {
    context.beginPath();
    context.roundRect(pane.x + 0.5, pane.y + 0.5, pane.width - 1, pane.height - 1, 8);
  }

  /**
   * Draw every picture where `places` has it; `pointed` is the row pointed at, -1 for none.
   * @param {Float32Array} places
   * @param {number} view
   * @param {number} pointed
   */
  function draw(places, view, pointed) {
    const both = place(places);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const side of [0, 1]) {
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      box(both[side]);
      context.fillStyle = colors.soft;
      context.fill();
      context.save();
      context.clip();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.globalAlpha = pointed < 0 ? 1 : 0.3;
      const seen = spots[side];
      for (let row = 0; row < rows; row++) {
        const left = (row % sheet.columns) * size;
        const top = Math.floor(row / sheet.columns) * size;
        context.drawImage(small, left, top, size, size, Math.round(seen[2 * row] * ratio - size / 2), Math.round(seen[2 * row + 1] * ratio - size / 2), size, size);
      }
      context.restore();
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      box(both[side]);
      context.strokeStyle = colors.line;
      context.lineWidth = 1;
      context.stroke();
      caption(both[side], side, view);
    }
    if (pointed >= 0) answer(view, pointed, both);
  }

  /**
   * @param {Pane} pane
   * @param {number} side
   * @param {number} view
   */
  function caption(pane, side, view) {
    const letter = "AB"[side];
    const axes = model.views[view].count ? (side ? "A’s axes" : "") : "own axes";
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = colors.ink;
    context.font = `600 14px ${colors.font}`;
    const words = `${letter}: ${models[side]}`;
    context.fillText(words, pane.x + 10, pane.y + 17);
    const wide = context.measureText(words).width;
    context.font = `14px ${colors.font}`;
    if (wide + context.measureText(axes).width < pane.width - 40) {
      context.globalAlpha = 0.72;
      context.fillText(axes, pane.x + 20 + wide, pane.y + 17);
      context.globalAlpha = 1;
    }
  }

  /**
   * The item in A, a line, and what B finds; where that is wrong, also where the item lies in B.
   * @param {number} view
   * @param {number} row
   * @param {[Pane, Pane]} both
   */
  function answer(view, row, both) {
    const named = model.views[view].nearest[row];
    const right = named === row;
    const ring = right ? colors.good : colors.bad;
    const [a, b] = [kept(both[0], at(0, row)), kept(both[1], at(1, named))];
    context.strokeStyle = ring;
    context.lineWidth = 3;
    context.beginPath();
    context.moveTo(...a);
    context.lineTo(...b);
    context.stroke();
    if (!right) tile(row, kept(both[1], at(1, row)), colors.line, "", both[1], 0.75);
    tile(named, b, ring, `${right ? "✓" : "✗"} ${model.names[named]}`, both[1], 1);
    tile(row, a, colors.ink, model.names[row] + (isAnchor(model, view, row) ? " ⚓" : ""), both[0], 1);
  }

  /**
   * @param {number} side
   * @param {number} row
   * @returns {[number, number]}
   */
  const at = (side, row) => [spots[side][2 * row], spots[side][2 * row + 1]];
  /**
   * A place moved so that a tile and its name lie within the pane.
   * @param {Pane} pane
   * @param {[number, number]} at
   * @returns {[number, number]}
   */
  const kept = (pane, [x, y]) => [
    Math.min(Math.max(x, pane.x + BIG / 2 + 6), pane.x + pane.width - BIG / 2 - 6),
    Math.min(Math.max(y, pane.y + BIG / 2 + 6), pane.y + pane.height - BIG / 2 - 28),
  ];

  /**
   * @param {number} row
   * @param {[number, number]} at
   * @param {string} ring
   * @param {string} words
   * @param {Pane} pane
   * @param {number} scale
   */
  function tile(row, [x, y], ring, words, pane, scale) {
    const half = (BIG / 2) * scale;
    context.fillStyle = colors.back;
    context.strokeStyle = ring;
    context.lineWidth = 3;
    context.beginPath();
    context.roundRect(x - half - 3, y - half - 3, 2 * half + 6, 2 * half + 6, 10);
    context.fill();
    context.stroke();
    const { cell, columns } = sheet;
    context.drawImage(image, (row % columns) * cell, Math.floor(row / columns) * cell, cell, cell, x - half, y - half, 2 * half, 2 * half);
    if (!words) return;
    context.font = `600 14px ${colors.font}`;
    context.textAlign = "center";
    const most = pane.width - 24;
    const wide = Math.min(context.measureText(words).width, most);
    const middle = Math.min(Math.max(x, pane.x + wide / 2 + 10), pane.x + pane.width - wide / 2 - 10);
    context.fillStyle = colors.back;
    context.beginPath();
    context.roundRect(middle - wide / 2 - 6, y + half + 6, wide + 12, 20, 5);
    context.fill();
    context.fillStyle = colors.ink;
    context.fillText(words, middle, y + half + 16, most);
  }

  return { resize, draw, spots };
}
