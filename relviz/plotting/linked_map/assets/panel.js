// The parts of the map that are elements: panes, legend, tooltip. Texts go in as text, never as markup.

import { classWords } from "./coloring.js";
import { find, findAll } from "./elements.js";
import { HOLLOW, ANCHOR } from "./payload.js";
/** @import { Payload } from "./payload.js" */

/** @typedef {{ hiddenNames: Set<string>, starsShown: number, toggleName: (name: string) => void, toggleStars: (flag: number) => void }} LegendState */
/** @typedef {{ item: string, kind: string, x: number, y: number, drawPicture: (context: CanvasRenderingContext2D) => boolean }} Tip */

/** @param {number} number */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]}
 */
function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/**
 * Make the elements of the panes anew if their number changed, and fill in titles and captions.
 * @param {HTMLElement} grid
 * @param {Payload} payload
 * @returns {HTMLElement[]}
 */
export function fillPanes(grid, payload) {
  let panes = [...grid.querySelectorAll(".pane")];
  if (panes.length !== payload.panes.length) {
    panes.forEach((pane) => pane.remove());
    panes = payload.panes.map(() => {
      const pane = element("section", "pane");
      const plot = element("div", "plot");
      plot.tabIndex = 0;
      plot.setAttribute("role", "application");
      pane.append(element("h3"), plot, element("p"));
      grid.append(pane);
      return pane;
    });
  }
  panes.forEach((pane, i) => {
    const { title, caption, message, space } = payload.panes[i];
    const orbit = space ? " Shift and arrow keys orbit." : "";
    const [heading, plot, said] = /** @type {HTMLCollectionOf<HTMLElement>} */ (pane.children);
    heading.textContent = title;
    heading.title = title;
    said.textContent = caption;
    plot.setAttribute("aria-label", `${title}. Arrow keys move from item to item, Enter selects, Escape clears.${orbit}`);
    plot.replaceChildren();
    if (message) plot.append(element("div", "message", message));
  });
  return panes.map((pane) => /** @type {HTMLElement} */ (pane.children[1]));
}

/**
 * Fill the legend: a button for each class, or a scale; a button for the anchors.
 * @param {HTMLElement} legend
 * @param {Payload} payload
 * @param {LegendState} state
 */
export function fillLegend(legend, payload, { hiddenNames, starsShown, toggleName, toggleStars }) {
  const { colors, flags } = payload;
  const parts = [];
  if (colors.kind === "class") {
    colors.names.forEach((name, i) => {
      const shown = !hiddenNames.has(name);
      const swatch = element("span", "swatch");
      swatch.style.background = colors.palette[i];
      const button = legendButton(swatch, classWords(colors, i), grouped(colors.counts[i]), shown, () => toggleName(name));
      button.title = shown ? "Hide this class" : "Show this class";
      parts.push(button);
    });
  } else if (colors.kind === "number") {
    const scale = element("span", "scale");
    const strip = element("i");
    strip.style.background = `linear-gradient(to right, ${colors.palette.join(", ")})`;
    scale.append(element("span", "", colors.title), element("span", "count", colors.low_text));
    scale.append(strip, element("span", "count", colors.high_text));
    parts.push(scale);
  }
  if (colors.note) parts.push(element("span", "note", colors.note));
  for (const { flag, mark, name } of [
    { flag: ANCHOR, mark: "★", name: payload.star_name },
    { flag: HOLLOW, mark: "☆", name: "discovered anchors" },
  ]) {
    const count = flags.reduce((sum, one) => sum + Number((one & flag) !== 0), 0);
    if (!count) continue;
    const shown = (starsShown & flag) !== 0;
    const of = payload.stars[flag];
    const said = count < of ? `${grouped(count)} of ${grouped(of)}` : grouped(count);
    const button = legendButton(element("span", "star", mark), name, said, shown, () => toggleStars(flag));
    button.title = shown ? `Hide the ${name}` : `Show the ${name}`;
    parts.push(button);
  }
  const { activeElement } = /** @type {ShadowRoot} */ (legend.getRootNode());
  const focused = [...legend.children].findIndex((part) => part === activeElement);
  legend.replaceChildren(...parts);
  parts[focused]?.focus();
}

/**
 * @param {HTMLElement} mark
 * @param {string} name
 * @param {string} count
 * @param {boolean} pressed
 * @param {() => void} onClick
 */
function legendButton(mark, name, count, pressed, onClick) {
  const button = element("button");
  button.type = "button";
  const words = element("span", "", name);
  words.dir = "auto";
  button.append(mark, words, element("span", "count", count));
  button.setAttribute("aria-pressed", String(pressed));
  button.onclick = onClick;
  return button;
}

/**
 * Put the tooltip beside a pixel of the root, filled for a row; without a row it goes away.
 * @param {HTMLElement} tooltip
 * @param {HTMLElement} root
 * @param {Tip | undefined} about
 */
export function fillTooltip(tooltip, root, about) {
  tooltip.hidden = !about;
  if (!about) return;
  const [picture, words] = [find(tooltip, "canvas"), find(tooltip, "div")];
  const [item, kind] = findAll(words, "div");
  const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
  context.clearRect(0, 0, picture.width, picture.height);
  picture.hidden = !about.drawPicture(context);
  item.textContent = about.item;
  kind.textContent = about.kind;
  kind.hidden = !about.kind;
  const { width, height } = tooltip.getBoundingClientRect();
  const fits = about.x + 16 + width < root.clientWidth;
  tooltip.style.left = `${Math.max(0, fits ? about.x + 16 : about.x - 16 - width)}px`;
  tooltip.style.top = `${Math.max(0, Math.min(about.y + 14, root.clientHeight - height))}px`;
}
