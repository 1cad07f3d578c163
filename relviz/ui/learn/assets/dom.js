// Elements from texts alone: nothing that a story says becomes markup, but **bold** and *italic*.

/** An element with attributes, listeners (`onclick`) and children: elements or texts. */
export function el(tag, about = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** The parts of a text between asterisks: `[kind, text]`, kind one of "", "strong", "em". */
export function parts(text) {
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

/** A text as nodes. */
export function inline(text) {
  return parts(text).map(([kind, said]) => (kind ? el(kind, {}, said) : said));
}
