// The linked map: panes of the same rows that move, light up and select together. One instance an
// element; it outlives every update, and with it zoom, selection and hidden classes.

import { colourWords, looksOf } from "./colouring.js";
import { broughtInside, homeView, panned, pixelFrame, pixelOf, unitFrame, zoomed } from "./geometry.js";
import { listen } from "./gestures.js";
import { drawDensity, drawOverlay } from "./overlay.js";
import { fillLegend, fillPanes, fillTooltip, grouped } from "./panel.js";
import { ANCHOR, HOLLOW, LABELLED, readPayload } from "./payload.js";
import { markInPolygon, nearest, nextInDirection, packMarks } from "./picking.js";
import { CanvasPoints } from "./points_canvas.js";
import { GLPoints } from "./points_gl.js";
import { TEMPLATE } from "./template.js";
import { Texts } from "./texts.js";

const REACH = 14;
const MOVE_MS = 700;
const SEARCH_MS = 250;
const STAR_SIZE = 17;
const MOST_LABELLED = 30;

class LinkedMap {
  constructor(parent) {
    parent.append(document.createRange().createContextualFragment(TEMPLATE));
    const root = (this.root = parent.querySelector(".relviz-map"));
    const find = (name) => root.querySelector(name);
    [this.grid, this.legend, this.tooltip] = [find(".grid"), find(".legend"), find(".tooltip")];
    this.canvases = [find(".under"), find(".points"), find(".over")];
    [this.under, this.over] = [this.canvases[0].getContext("2d"), this.canvases[2].getContext("2d")];
    this.points = GLPoints.on(this.canvases[1], () => this.restore()) ?? new CanvasPoints(this.canvases[1]);
    this.texts = new Texts(() => this.schedule(true));
    this.mode = "pan";
    this.linked = true;
    this.views = [];
    this.frames = 0;
    this.watcher = new ResizeObserver(() => this.schedule());
    this.watcher.observe(this.grid);
    this.listenToBar();
    root.relvizMap = {
      state: () => this.state(),
      pixel: (pane, row) => this.pixel(pane, row),
      painted: () => this.painted(),
      frames: () => this.frames,
      selectedCount: () => this.selectedCount,
    };
  }

  // --- what Python sends

  update(component) {
    this.component = component;
    const payload = readPayload(component.data);
    this.readTheme();
    if (payload.digest === this.payload?.digest) return this.schedule();
    const before = this.payload;
    const sameRows = before?.identity === payload.identity && before.n === payload.n;
    this.payload = payload;
    if (!sameRows) this.forget();
    this.anchorsShown ??= payload.anchors_shown;
    this.root.style.height = `${payload.height}px`;
    this.texts.take(payload);
    this.plots = fillPanes(this.grid, payload);
    this.plots.forEach((plot, pane) => listen(plot, pane, this));
    this.moveFrom(sameRows ? before : undefined);
    payload.panes.forEach((_, pane) => (this.views[pane] ??= homeView()));
    this.views.length = payload.panes.length;
    this.joinViews();
    this.refreshLooks();
    return undefined;
  }

  forget() {
    this.views = [];
    this.selected = new Uint8Array(this.payload.n);
    this.selectedCount = 0;
    this.row = -1;
    this.clicked = -1;
    this.hiddenNames = new Set();
    this.clearSearch();
  }

  clearSearch() {
    this.root.querySelector(".search").value = "";
    this.searched = "";
    this.notice = "";
  }

  /** Start every pane at its old places; they move to the new ones unless motion is unwanted. */
  moveFrom(before) {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.old = this.payload.panes.map((pane, i) => {
      const old = before?.panes[i];
      return old?.positions && pane.positions && !still ? old : pane;
    });
    const changed = this.old.some((old, i) => old.digest !== this.payload.panes[i].digest);
    this.movesSince = changed ? performance.now() : undefined;
    const wanted = new Map();
    for (const pane of [...this.old, ...this.payload.panes]) if (pane.positions) wanted.set(pane.digest, pane.positions);
    this.points.keep(wanted);
    this.wanted = wanted;
  }

  restore() {
    this.points.keep(this.wanted);
    this.points.setLooks(this.looks);
    this.schedule();
  }

  readTheme() {
    const style = getComputedStyle(this.root);
    const numbers = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((value) => Number(value) / 255);
    const [inkCss, paperCss] = [style.color, style.backgroundColor];
    const accent = style.getPropertyValue("--st-primary-color").trim() || inkCss;
    this.theme = { inkCss, paperCss, ink: numbers(inkCss), paper: numbers(paperCss), accent, font: style.fontFamily };
  }

  // --- what rows look like

  refreshLooks() {
    this.looks = looksOf(this.payload, this, this.hiddenNames);
    this.points.setLooks(this.looks);
    this.labelled = [];
    const labelSelected = this.selectedCount <= MOST_LABELLED;
    for (let row = 0; row < this.payload.n && this.labelled.length < MOST_LABELLED; row++) {
      if ((labelSelected && this.selected[row]) || this.payload.flags[row] & LABELLED) this.labelled.push(row);
    }
    fillLegend(this.legend, this.payload, {
      hiddenNames: this.hiddenNames,
      anchorsShown: this.anchorsShown,
      toggleName: (name) => {
        if (!this.hiddenNames.delete(name)) this.hiddenNames.add(name);
        this.refreshLooks();
      },
      toggleAnchors: () => {
        this.anchorsShown = !this.anchorsShown;
        this.refreshLooks();
      },
    });
    this.fillBar();
    this.schedule();
  }

  fillBar() {
    const { n, total } = this.payload;
    const find = (name) => this.root.querySelector(name);
    const chosen = this.selectedCount ? `${grouped(this.selectedCount)} of ${grouped(n)} selected` : "";
    const sampled = n < total ? `${grouped(n)} of ${grouped(total)} shown, density of all` : "";
    find(".counter").textContent = [chosen, sampled].filter(Boolean).join(" · ");
    find(".clear").hidden = !this.selectedCount;
    const slow = this.points.kind === "canvas" ? "This browser has no WebGL: drawing is slower." : "";
    find(".notice").textContent = slow || this.notice || "";
    for (const button of this.root.querySelectorAll("[data-mode]")) {
      if (button.matches("button")) button.setAttribute("aria-pressed", String(button.dataset.mode === this.mode));
    }
    this.plots.forEach((plot) => (plot.dataset.mode = this.mode));
    const link = find("[data-do=link]");
    link.disabled = !this.payload.panes.some((_, pane) => this.groupOf(pane, true).length > 1);
    link.setAttribute("aria-pressed", String(this.linked && !link.disabled));
  }

  listenToBar() {
    const acts = {
      in: () => this.zoomMiddle(undefined, 1.5),
      out: () => this.zoomMiddle(undefined, 1 / 1.5),
      home: () => this.home(undefined),
      clear: () => this.clear(),
      link: () => {
        this.linked = !this.linked;
        this.joinViews();
        this.fillBar();
        this.schedule();
      },
    };
    for (const button of this.root.querySelectorAll("button[data-do]")) button.onclick = acts[button.dataset.do];
    for (const button of this.root.querySelectorAll("button[data-mode]")) {
      button.onclick = () => {
        this.mode = button.dataset.mode;
        this.fillBar();
      };
    }
    const search = this.root.querySelector(".search");
    search.oninput = () => {
      clearTimeout(this.searching);
      this.searching = setTimeout(() => this.search(search.value, false), SEARCH_MS);
    };
    search.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      clearTimeout(this.searching);
      this.search(search.value, true);
    };
    search.onchange = () => this.search(search.value, true);
    this.root.onkeydown = (event) => event.key === "Escape" && this.clear();
  }

  // --- views

  groupOf(pane, whatever = false) {
    const { group } = this.payload.panes[pane];
    if (group === null || !(this.linked || whatever)) return [pane];
    return this.payload.panes.flatMap((other, i) => (other.group === group ? [i] : []));
  }

  joinViews() {
    this.views.forEach((_, pane) => this.setView(pane, this.views[this.groupOf(pane)[0]]));
  }

  setView(pane, view) {
    for (const other of this.groupOf(pane)) this.views[other] = view;
    this.schedule();
  }

  pan(pane, dx, dy) {
    this.setView(pane, panned(this.views[pane], this.measured()[pane], dx, dy));
  }

  zoom(pane, factor, x, y) {
    this.setView(pane, zoomed(this.views[pane], this.measured()[pane], factor, x, y));
  }

  /** Zoom about the middle of a pane, or of all panes that have a view of their own. */
  zoomMiddle(pane, factor) {
    const plots = this.measured();
    for (const one of pane === undefined ? this.leaders() : [pane]) {
      const plot = plots[one];
      this.zoom(one, factor, plot.left + plot.width / 2, plot.top + plot.height / 2);
    }
  }

  home(pane) {
    for (const one of pane === undefined ? this.leaders() : [pane]) this.setView(one, homeView());
  }

  leaders() {
    return this.views.map((_, pane) => pane).filter((pane) => this.groupOf(pane)[0] === pane);
  }

  // --- pointing and selecting

  placed(pane) {
    const { positions } = this.payload.panes[pane];
    return positions && { positions, frame: pixelFrame(this.payload.panes[pane], this.measured()[pane], this.views[pane]) };
  }

  rowAt(pane, { x, y }) {
    const placed = this.placed(pane);
    return placed ? nearest(placed.positions, this.looks.hidden, placed.frame, x, y, REACH) : -1;
  }

  pointAt(pane, at) {
    const row = at ? this.rowAt(pane, at) : -1;
    if (row < 0 && this.row < 0) return;
    this.point(row, at);
  }

  point(row, at) {
    this.row = row;
    this.cursor = at;
    this.schedule(true);
  }

  click(pane, at, adds) {
    const row = this.rowAt(pane, at);
    this.choose(row < 0 ? [] : [row], adds, row);
  }

  selectPointed(adds) {
    if (this.row >= 0) this.choose([this.row], adds, this.row);
  }

  choose(rows, adds, clicked = -1) {
    if (!adds) this.selected.fill(0);
    for (const row of rows) this.selected[row] = adds && clicked >= 0 ? 1 - this.selected[row] : 1;
    this.clicked = clicked;
    this.tell();
  }

  selectWithin(pane, polygon, adds) {
    const placed = this.placed(pane);
    if (!placed) return;
    if (!adds) this.selected.fill(0);
    markInPolygon(placed.positions, this.looks.hidden, placed.frame, polygon, this.selected);
    this.clicked = -1;
    this.tell();
  }

  clear() {
    this.clearSearch();
    if (this.selectedCount) this.choose([], false);
  }

  async search(text, done) {
    const wanted = text.trim();
    if (wanted === this.searched) return done && this.unsaid && this.tell();
    this.searched = wanted;
    const rows = wanted ? await this.texts.search(wanted, this.payload.n) : [];
    if (wanted !== this.searched) return undefined;
    this.notice = rows === null ? "The texts could not be fetched." : wanted && !rows.length ? "No item has that text." : "";
    this.selected.fill(0);
    for (const row of rows ?? []) this.selected[row] = 1;
    this.clicked = -1;
    this.tell(done);
    return undefined;
  }

  /** Show the selection, and unless more of the gesture is to come, give it to Python. */
  tell(done = true) {
    this.selectedCount = this.selected.reduce((sum, mark) => sum + mark, 0);
    this.refreshLooks();
    this.unsaid = !done;
    if (!done) return;
    const { identity, n } = this.payload;
    const chosen = { identity, n, clicked: this.clicked, ...packMarks(this.selected) };
    this.component.setStateValue("chosen", chosen);
  }

  outline(pane, polygon) {
    this.shape = polygon && { plot: this.measured()[pane], polygon };
    this.schedule(true);
  }

  /** Go to the next item in a direction; it comes into sight if it is not. */
  step(pane, direction) {
    const placed = this.placed(pane);
    if (!placed) return;
    const plot = this.measured()[pane];
    const middle = { x: plot.left + plot.width / 2, y: plot.top + plot.height / 2 };
    const { positions, frame } = placed;
    const row = this.row < 0
      ? nearest(positions, this.looks.hidden, frame, middle.x, middle.y, Infinity)
      : nextInDirection(positions, this.looks.hidden, frame, pixelOf(positions, this.row, frame), direction, this.row);
    if (row < 0) return;
    const { x, y } = pixelOf(positions, row, frame);
    this.setView(pane, broughtInside(this.views[pane], plot, x, y));
    this.point(row, pixelOf(positions, row, this.placed(pane).frame));
    this.speaks = true;
  }

  // --- drawing

  schedule(overlayOnly = false) {
    if (!overlayOnly) this.stale = true;
    this.pending ||= requestAnimationFrame(() => {
      this.pending = undefined;
      if (this.payload && this.root.isConnected) this.paint();
    });
  }

  /** Where the plots lie in the grid, in pixels. */
  measured() {
    return this.plots.map((plot) => ({
      left: plot.offsetLeft + 1,
      top: plot.offsetTop + 1,
      width: Math.max(1, plot.clientWidth),
      height: Math.max(1, plot.clientHeight),
    }));
  }

  paint() {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [this.grid.clientWidth, this.grid.clientHeight].map((side) => Math.round(side * ratio));
    for (const canvas of this.canvases) {
      if (canvas.width === width && canvas.height === height) continue;
      [canvas.width, canvas.height] = [width, height];
      this.stale = true;
    }
    const plots = this.measured();
    const elapsed = this.movesSince === undefined ? 1 : Math.min(1, (performance.now() - this.movesSince) / MOVE_MS);
    const moved = elapsed * elapsed * (3 - 2 * elapsed);
    const places = this.payload.panes.map((pane, i) => pane.positions && {
      plot: plots[i],
      view: this.views[i],
      positions: pane.positions,
      density: pane.density,
      frame: pixelFrame(pane, plots[i], this.views[i]),
      from: { digest: this.old[i].digest, frame: unitFrame(this.old[i], plots[i]) },
      to: { digest: pane.digest, frame: unitFrame(pane, plots[i]) },
      moved,
    });
    const style = { ratio, ...this.theme, sizeOf: (view) => this.sizeOf(view), starSize: STAR_SIZE };
    if (this.stale) {
      this.points.draw(places.filter(Boolean), style);
      drawDensity(this.under, { ratio, panes: places, theme: this.theme });
      this.stale = false;
      this.frames += 1;
    }
    const { texts, looks, selected, selectedCount, labelled, row, shape, theme } = this;
    const moving = elapsed < 1;
    const size = this.sizeOf(this.views[0]);
    drawOverlay(this.over, { ratio, panes: places, moving, texts, looks, selected, selectedCount, labelled, row, shape, theme, size });
    this.showTooltip();
    if (moving) this.schedule();
    else this.movesSince = undefined;
  }

  sizeOf(view) {
    const { n } = this.payload;
    const size = n < 3000 ? 7 : n < 8000 ? 5.5 : n < 30000 ? 4 : 2.6;
    return size * Math.min(2.4, Math.max(0.8, view.zoom ** 0.35));
  }

  showTooltip() {
    const { row, payload, cursor } = this;
    const text = row >= 0 ? this.texts.get(row) : undefined;
    const starred = row >= 0 && payload.flags[row] & (ANCHOR | HOLLOW);
    const said = row >= 0 && [...new Set([text?.label, colourWords(payload, row), starred && "anchor"])].filter(Boolean);
    const item = text?.item ?? (this.texts.failed ? "The text could not be fetched." : "…");
    fillTooltip(this.tooltip, this.root, row >= 0 && cursor && {
      item,
      kind: said.join(" · "),
      x: cursor.x + this.grid.offsetLeft,
      y: cursor.y + this.grid.offsetTop,
      drawPicture: (context) => this.texts.drawPicture(context, row, 0, 0, 96),
    });
    if (this.speaks && text) {
      this.root.querySelector(".spoken").textContent = [item, ...said].join(", ");
      this.speaks = false;
    }
  }

  // --- for tests, and the end

  pixel(pane, row) {
    const { x, y } = pixelOf(this.payload.panes[pane].positions, row, this.placed(pane).frame);
    const { left, top } = this.grid.getBoundingClientRect();
    return { x: x + left, y: y + top };
  }

  state() {
    const selected = Array.from(this.selected.keys()).filter((row) => this.selected[row]);
    return {
      identity: this.payload.identity,
      renderer: this.points.kind,
      drawn: this.payload.panes.map((pane) => (pane.positions ? this.points.drawn : 0)),
      sums: this.payload.panes.map(({ positions }) => positions?.reduce((sum, step, i) => sum + step * (1 + (i % 7)), 0)),
      views: this.views.map((view) => ({ ...view })),
      hidden: [...this.hiddenNames],
      selected,
      marked: this.payload.panes.map((pane) => (pane.positions ? this.marked() : [])),
      pointed: this.row,
      moving: this.movesSince !== undefined,
      frames: this.frames,
    };
  }

  /** Rows that the buffers on the card draw at full strength while others are dimmed. */
  marked() {
    const { rgba, order } = this.looks;
    if (!this.selectedCount) return [];
    return Array.from(order).filter((row) => rgba[4 * row + 3] === 255).sort((a, b) => a - b);
  }

  /** How many pixels of the points' canvas have a colour, in each pane. */
  painted() {
    this.stale = true;
    this.paint();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [this.canvases[1].width, this.canvases[1].height];
    const context = copy.getContext("2d");
    context.drawImage(this.canvases[1], 0, 0);
    const ratio = window.devicePixelRatio || 1;
    return this.measured().map((plot) => {
      const sides = [plot.left, plot.top, plot.width, plot.height].map((side) => Math.round(side * ratio));
      const { data } = context.getImageData(...sides);
      let count = 0;
      for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
      return count;
    });
  }

  release() {
    cancelAnimationFrame(this.pending);
    this.pending = 1; // nothing is scheduled any more
    clearTimeout(this.searching);
    this.watcher.disconnect();
    this.points.release();
    this.root.remove();
  }
}

const maps = new WeakMap();
let calls = 0;

/** Show a payload in an element; the answer takes the map away, unless it was shown anew since. */
export function mount(component) {
  const { parentElement } = component;
  const entry = maps.get(parentElement) ?? { map: new LinkedMap(parentElement) };
  maps.set(parentElement, entry);
  const call = (entry.call = ++calls);
  entry.map.update(component);
  return () => {
    if (entry.call !== call) return;
    entry.map.release();
    maps.delete(parentElement);
  };
}
