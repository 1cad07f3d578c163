// What lies outside of a pane as it opens: marks at its border with a count, and the view that shows all.

import { unitFrame } from "./geometry.js";
/** @import { Frame, Framed, Plot, Positions, Size, View } from "./geometry.js" */

/** @typedef {"left" | "right" | "top" | "bottom"} Edge */
/** @typedef {{ side: Edge, along: number, count: number }} BorderMark */

const APART = 56; // pixels of the border that one mark speaks for
const INSET = 12;
const ROOM = 0.9;
const ARROWS = { left: "◀", right: "▶", top: "▲", bottom: "▼" };

/**
 * How many visible rows lie beyond each part of the border: side, place along it in pixels, count.
 * @param {Positions} positions
 * @param {Uint8Array} hidden
 * @param {Frame} frame
 * @param {Plot} plot
 * @returns {BorderMark[]}
 */
export function beyond(positions, hidden, frame, plot) {
  /** @type {Map<string, { side: Edge, sum: number, count: number }>} */
  const found = new Map();
  const [right, bottom] = [plot.left + plot.width, plot.top + plot.height];
  for (let row = 0; row < hidden.length; row++) {
    if (hidden[row]) continue;
    const x = positions[2 * row] * frame.sx + frame.ox;
    const y = positions[2 * row + 1] * frame.sy + frame.oy;
    const side = x < plot.left ? "left" : x > right ? "right" : y < plot.top ? "top" : y > bottom ? "bottom" : "";
    if (!side) continue;
    const along = side === "left" || side === "right" ? clamp(y - plot.top, plot.height) : clamp(x - plot.left, plot.width);
    const key = `${side} ${Math.floor(along / APART)}`;
    const mark = found.get(key) ?? { side, sum: 0, count: 0 };
    found.set(key, { side, sum: mark.sum + along, count: mark.count + 1 });
  }
  return [...found.values()].map(({ side, sum, count }) => ({ side, along: sum / count, count }));
}

/**
 * @param {number} value
 * @param {number} most
 */
function clamp(value, most) {
  return Math.min(most - INSET, Math.max(INSET, value));
}

/**
 * The view in which all points of some panes are seen, each pane in its plot.
 * @param {Framed[]} panes
 * @param {Size[]} plots
 * @returns {View}
 */
export function wholeView(panes, plots) {
  const corners = panes.map((pane, i) => {
    const { sx, sy, ox, oy } = unitFrame(pane, plots[i]);
    return { left: ox, right: ox + sx, low: oy, high: oy + sy };
  });
  const left = Math.min(...corners.map((corner) => corner.left));
  const right = Math.max(...corners.map((corner) => corner.right));
  const low = Math.min(...corners.map((corner) => corner.low));
  const high = Math.max(...corners.map((corner) => corner.high));
  const zooms = plots.map(({ width, height }) => {
    const side = Math.min(width, height);
    return ROOM * Math.min(width / side / (right - left), height / side / (high - low));
  });
  return { x: (left + right) / 2, y: (low + high) / 2, zoom: Math.min(...zooms) };
}

/**
 * Have a plot show the marks; a press on one of them shows what lies outside.
 * @param {HTMLElement} plot
 * @param {BorderMark[]} marks
 * @param {() => void} onPress
 */
export function fillBorder(plot, marks, onPress) {
  const said = JSON.stringify(marks);
  const shown = plot.querySelectorAll(".beyond");
  if (plot.dataset.border === said && shown.length === marks.length) return;
  plot.dataset.border = said;
  for (const old of shown) old.remove();
  const buttons = marks.map(({ side, along, count }) => {
    const button = plot.ownerDocument.createElement("button");
    [button.type, button.className] = ["button", `beyond ${side}`];
    button.textContent = `${ARROWS[side]} ${count}`;
    button.title = `${count} outside. Press to show ${count === 1 ? "it" : "them"}.`;
    button.setAttribute("aria-label", button.title);
    button.style[side === "left" || side === "right" ? "top" : "left"] = `${Math.round(along)}px`;
    button.onpointerdown = (event) => event.stopPropagation();
    button.onpointerup = (event) => event.stopPropagation();
    button.onclick = onPress;
    return button;
  });
  plot.append(...buttons);
}
