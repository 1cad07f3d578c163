// The bar above the panes: what dragging does, zoom, search, and how many rows are selected.

import { marksOf } from "./items.js";
import { grouped } from "./panel.js";

const SEARCH_MS = 250;

/** Tie the buttons and the search field to the map. */
export function listenToBar(root, map) {
  const acts = {
    in: () => map.zoomMiddle(undefined, 1.5),
    out: () => map.zoomMiddle(undefined, 1 / 1.5),
    home: () => map.home(undefined),
    clear: () => map.clear(),
    link: () => map.toggleLink(),
    center: () => map.toggleArrangement("centered"),
    turn: () => map.toggleArrangement("turned"),
    names: () => map.toggleNames(),
  };
  for (const button of root.querySelectorAll("button[data-do]")) button.onclick = acts[button.dataset.do];
  for (const button of root.querySelectorAll("button[data-mode]")) {
    button.onclick = () => map.setMode(button.dataset.mode);
  }
  for (const button of root.querySelectorAll("button[data-marks]")) {
    button.onclick = () => map.setMarks(button.dataset.marks);
  }
  const search = root.querySelector(".search");
  let waiting;
  search.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => map.search(search.value, false), SEARCH_MS);
  };
  const done = () => {
    clearTimeout(waiting);
    map.search(search.value, true);
  };
  // A handler that gives false keeps the browser from what the key does by itself.
  search.onkeydown = (event) => {
    if (event.key === "Enter") done();
  };
  search.onchange = done;
  root.onkeydown = (event) => {
    if (event.key === "Escape") map.clear();
  };
}

/** Have the bar say how things stand. */
export function fillBar(root, { payload, selection, views, mode, notice, arrangement, arrangeable, marks, named, deep }) {
  const { n } = payload;
  root.querySelector(".counter").textContent = selection.count ? `${grouped(selection.count)} of ${grouped(n)} selected` : "";
  root.querySelector(".clear").hidden = !selection.count;
  root.querySelector(".notice").textContent = notice;
  for (const button of root.querySelectorAll("button[data-mode]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  }
  root.querySelector("[data-mode=orbit]").hidden = !deep;
  for (const plot of root.querySelectorAll(".plot")) plot.dataset.mode = mode;
  const [center, turn] = ["center", "turn"].map((name) => root.querySelector(`[data-do=${name}]`));
  for (const [button, name] of [[center, "centered"], [turn, "turned"]]) {
    button.hidden = !arrangeable[name];
    button.setAttribute("aria-pressed", String(arrangement[name]));
  }
  center.parentElement.hidden = center.hidden && turn.hidden;
  const offered = marksOf(payload);
  for (const button of root.querySelectorAll("button[data-marks]")) {
    button.hidden = !offered.includes(button.dataset.marks);
    button.setAttribute("aria-pressed", String(button.dataset.marks === marks));
  }
  root.querySelector(".marking").hidden = offered.length < 2;
  const names = root.querySelector("[data-do=names]");
  names.setAttribute("aria-pressed", String(named));
  names.parentElement.hidden = payload.colors.kind !== "class";
  const link = root.querySelector("[data-do=link]");
  link.disabled = !views.canLink;
  link.setAttribute("aria-pressed", String(views.linked && views.canLink));
}
