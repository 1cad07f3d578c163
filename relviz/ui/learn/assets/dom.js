// Elements from texts alone: nothing that a story says becomes markup, but **bold** and *italic*.

/** @typedef {Node | string | null | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes and listeners */

/**
 * An element with attributes, listeners (`onclick`) and children: elements or texts.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [about]
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, about = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * The parts of a text between asterisks: `[kind, text]`, kind one of "", "strong", "em".
 * @param {string} text
 */
export function parts(text) {
  /** @type {[kind: "" | "em" | "strong", text: string][]} */
  const found = [];
  let last = 0;
  for (const match of text.matchAll(/\*\*(.+?)\*\*|\*(.+?)\*/g)) {
    if (match.index > last) found.push(["", text.slice(last, match.index)]);
    found.push(match[1] === undefined ? ["em", match[2]] : ["strong", match[1]]);
    last = match.index + match[0].length;
  }
  if (last < text.length) found.push(["", text.slice(last)]);
  return found;
}

/**
 * A text as nodes.
 * @param {string} text
 */
export function inline(text) {
  return parts(text).map(([kind, said]) => (kind ? el(kind, {}, said) : said));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function contextOf(canvas, settings) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));
}
