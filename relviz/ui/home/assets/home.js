// Home in the browser: one switch, one slider, and every picture moves to its new place.

import { ABSOLUTE, between, decode, firstRelative, nearestSpot, nextSpot, percent, spoken } from "./model.js";
import { makeRows } from "./rows.js";
import { makeScene } from "./scene.js";
/** @import { Model } from "./model.js" */

/** @typedef {{ data: Uint8Array<ArrayBuffer>, parentElement: HTMLElement | ShadowRoot }} Component */

const MOVE_MS = 900;
const PLAY_MS = 1200;
const REACH = 18;
const SAY = {
  absolute: "At A’s coordinates, B finds something else.",
  relative: "Relative to the same anchors, B often finds it.",
};
/** @type {WeakMap<HTMLElement | ShadowRoot, () => void>} */
const mounted = new WeakMap();

/**
 * Show what Python sent; the root stays when the page is drawn again.
 * @param {Component} component
 * @param {string} template
 */
export function mount(component, template) {
  const { data, parentElement } = component;
  if (!mounted.has(parentElement)) {
    const holder = document.createElement("div");
    holder.append(document.createRange().createContextualFragment(template));
    parentElement.replaceChildren(holder);
    mounted.set(parentElement, start(holder, decode(data)));
  }
  return () => {
    mounted.get(parentElement)?.();
    mounted.delete(parentElement);
  };
}

/**
 * @param {HTMLElement} holder
 * @param {Model} model
 */
function start(holder, model) {
  /** @type {(selector: string) => HTMLElement} */
  const find = (selector) => /** @type {HTMLElement} */ (holder.querySelector(selector));
  const [root, stage] = [find(".home"), find(".stage")];
  const canvas = /** @type {HTMLCanvasElement} */ (find(".map"));
  const slider = /** @type {HTMLInputElement} */ (find(".knob input"));
  const switches = /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll("[data-view]"));
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const image = new Image();
  const rows = makeRows(/** @type {HTMLTableSectionElement} */ (find("tbody")), model, (row) => point(row));
  const places = Float32Array.from(model.views[ABSOLUTE].places);
  let [view, relative, pointed] = [ABSOLUTE, firstRelative(model), -1];
  /** @type {ReturnType<typeof makeScene> | undefined} */
  let scene;
  let [from, began, frame, playing] = [places, 0, 0, 0];

  const draw = () => scene?.draw(places, view, pointed);

  /** @param {number} time */
  function step(time) {
    began ||= time;
    const t = still.matches ? 1 : Math.min(1, (time - began) / MOVE_MS);
    between(from, model.views[view].places, t, places);
    draw();
    frame = t < 1 ? requestAnimationFrame(step) : 0;
    root.dataset.moving = String(t < 1);
  }

  /** @param {number} to */
  function go(to) {
    if (to !== ABSOLUTE) relative = to;
    if (to !== view) {
      [view, from, began] = [to, Float32Array.from(places), 0];
      root.dataset.moving = "true";
      frame ||= requestAnimationFrame(step);
    }
    write();
  }

  function write() {
    const { found, count } = model.views[view];
    const name = count ? "relative" : "absolute";
    root.dataset.shows = name;
    find(".say").textContent = SAY[name];
    for (const one of switches) {
      one.setAttribute("aria-checked", String(one.dataset.view === name));
      one.tabIndex = one.dataset.view === name ? 0 : -1;
    }
    const anchors = `${model.views[relative].count.toLocaleString("en")} anchors`;
    slider.value = String(relative);
    slider.setAttribute("aria-valuetext", anchors);
    find(".knob output").textContent = anchors;
    find(".meter b").textContent = percent(found);
    find(".gauge i").style.width = percent(found);
    find(".gauge").setAttribute("aria-valuenow", String(Math.round(100 * found)));
    rows.show(relative, view);
    if (pointed >= 0) tell();
  }

  function tell() {
    find(".spoken").textContent = pointed < 0 ? "" : spoken(model, view, pointed);
  }

  /** @param {number} row */
  function point(row) {
    if (row === pointed) return;
    pointed = row;
    root.dataset.pointed = String(row);
    rows.point(row);
    tell();
    if (!frame) draw();
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    find(".play").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (playing) {
      stop();
      return;
    }
    find(".play").setAttribute("aria-pressed", "true");
    go(1);
    playing = setInterval(() => {
      if (relative === model.views.length - 1) stop();
      else go(relative + 1);
    }, PLAY_MS);
  }

  /** @param {PointerEvent} event */
  function underneath(event) {
    const { left, top } = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const found = (scene?.spots ?? []).map((spots) => nearestSpot(spots, x, y, REACH));
    return found.find((row) => row >= 0) ?? -1;
  }

  slider.max = String(model.views.length - 1);
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  for (const one of switches) {
    one.addEventListener("click", () => {
      stop();
      go(one.dataset.view === "absolute" ? ABSOLUTE : relative);
    });
    one.addEventListener("keydown", ({ key }) => {
      if (!key.startsWith("Arrow")) return;
      go(view === ABSOLUTE ? relative : ABSOLUTE);
      switches[view === ABSOLUTE ? 0 : 1].focus();
    });
  }
  find(".play").addEventListener("click", play);
  canvas.addEventListener("pointermove", (event) => point(underneath(event)));
  canvas.addEventListener("pointerdown", (event) => point(underneath(event)));
  canvas.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") point(-1);
  });
  canvas.addEventListener("keydown", (event) => {
    const { key } = event;
    if (key.startsWith("Arrow") && scene) point(pointed < 0 ? model.examples[0] : nextSpot(scene.spots[0], pointed, key));
    else if (key === "Escape") point(-1);
    else if (key === " ") go(view === ABSOLUTE ? relative : ABSOLUTE);
    else return;
    event.preventDefault();
  });

  const fit = () => {
    if (!scene || !stage.clientWidth) return;
    const [, ...ink] = /(\d+), (\d+), (\d+)/.exec(getComputedStyle(root).color) ?? ["", "0", "0", "0"];
    root.classList.toggle("dark", ink.reduce((sum, part) => sum + Number(part), 0) > 384);
    scene.resize(stage.clientWidth, stage.clientHeight);
    draw();
  };
  const watch = new ResizeObserver(fit);
  image.addEventListener("load", () => {
    scene = makeScene(canvas, model, image);
    watch.observe(stage);
    fit();
    root.dataset.ready = "true";
  });
  image.src = model.sheet.url;
  write();
  root.dataset.moving = "false";
  return () => {
    stop();
    cancelAnimationFrame(frame);
    watch.disconnect();
  };
}
