// Pictures of items as elements, cut from the sheet.

import { el } from "./dom.js";
/** @import { Sheet } from "./arrays.js" */

/**
 * An element that shows the picture of a row, `size` wide; its name is for those who cannot see it.
 * @param {Sheet} sheet
 * @param {number} row
 * @param {number} size
 * @param {string} [name]
 */
export function tile(sheet, row, size, name) {
  const { image, cell, columns } = sheet;
  const scale = size / cell;
  const wide = columns * cell * scale;
  const [left, top] = [(row % columns) * size, Math.floor(row / columns) * size];
  const style = `width: ${size}px; height: ${size}px; background: url("${image.src}") -${left}px -${top}px / ${wide}px auto no-repeat`;
  return el("span", { class: "tile", style, ...(name ? { role: "img", "aria-label": name, title: name } : { "aria-hidden": "true" }) });
}
