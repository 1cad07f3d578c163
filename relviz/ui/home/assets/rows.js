// Three rows of pictures: items of A, and what B finds through absolute coordinates and through anchors.

import { ABSOLUTE } from "./model.js";
/** @import { Model, Sheet } from "./model.js" */

/**
 * @param {Sheet} sheet
 * @param {number} row
 * @param {string} name
 * @param {string} size
 */
function picture(sheet, row, name, size) {
  const { url, columns, cell } = sheet;
  const made = document.createElement("span");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", name);
  made.title = name;
  const [left, top] = [row % columns, Math.floor(row / columns)];
  made.style.backgroundImage = `url("${url}")`;
  made.style.backgroundSize = `calc(${columns} * ${size}) auto`;
  made.style.backgroundPosition = `calc(${-left} * ${size}) calc(${-top} * ${size})`;
  made.dataset.cell = String(cell);
  return made;
}

/**
 * Rows of a table body; `onPoint` is told the item of the column that is pointed at, `-1` for none.
 * @param {HTMLTableSectionElement} body
 * @param {Model} model
 * @param {(row: number) => void} onPoint
 */
export function makeRows(body, model, onPoint) {
  const { examples, names, sheet } = model;
  const lines = ["A shows", "B finds, absolute", ""].map((words) => {
    const line = body.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = words;
    line.append(head);
    for (let at = 0; at < examples.length; at++) line.insertCell();
    return line;
  });
  examples.forEach((row, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "cell";
    button.setAttribute("aria-label", names[row]);
    const shown = picture(sheet, row, names[row], "var(--picture)");
    shown.setAttribute("aria-hidden", "true");
    button.append(shown);
    button.addEventListener("focus", () => onPoint(row));
    button.addEventListener("blur", () => onPoint(-1));
    button.addEventListener("click", () => onPoint(row));
    lines[0].cells[at + 1].append(button);
    for (const line of lines) {
      line.cells[at + 1].addEventListener("pointerenter", () => onPoint(row));
      line.cells[at + 1].addEventListener("pointerleave", () => onPoint(-1));
    }
  });

  /**
   * @param {HTMLTableRowElement} line
   * @param {number} view
   */
  function fill(line, view) {
    examples.forEach((row, at) => {
      const found = model.views[view].nearest[row];
      const cell = document.createElement("span");
      cell.className = `cell ${found === row ? "right" : "wrong"}`;
      cell.append(picture(sheet, found, names[found] + (found === row ? ", right" : ""), "var(--picture)"));
      line.cells[at + 1].replaceChildren(cell);
    });
  }
  fill(lines[1], ABSOLUTE);

  /**
   * Show what B finds through the anchors of a view; `now` is the view of the map.
   * @param {number} relative
   * @param {number} now
   */
  function show(relative, now) {
    lines[2].cells[0].textContent = `B finds, ${model.views[relative].count.toLocaleString("en")} anchors`;
    fill(lines[2], relative);
    lines[1].className = now === ABSOLUTE ? "now" : "old";
    lines[2].className = now === ABSOLUTE ? "old" : "now";
  }

  /**
   * Mark the column of an item.
   * @param {number} row
   */
  function point(row) {
    const at = examples.indexOf(row);
    for (const line of lines) {
      [...line.cells].forEach((cell, number) => cell.classList.toggle("pointed", number > 0 && number - 1 === at));
    }
  }
  return { show, point };
}
