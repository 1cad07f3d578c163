// The linked map: panes of the same rows that move, light up and select together. One instance an
// element; it outlives every update, and with it zoom, selection and hidden classes.

import { fillBar, listenToBar } from "./bar.js";
import { colourWords, looksOf } from "./colouring.js";
import { broughtInside, pixelFrame, pixelOf, unitFrame } from "./geometry.js";
import { listen } from "./gestures.js";
import { drawDensity, drawOverlay } from "./overlay.js";
import { fillLegend, fillPanes, fillTooltip } from "./panel.js";
import { ANCHOR, HOLLOW, LABELLED, readPayload } from "./payload.js";
import { markInPolygon, nearest, nextInDirection } from "./picking.js";
import { CanvasPoints } from "./points_canvas.js";
import { GLPoints } from "./points_gl.js";
import { probe } from "./probe.js";
import { Selection } from "./selection.js";
import { TEMPLATE } from "./template.js";
import { Texts } from "./texts.js";
import { Views } from "./views.js";

const REACH = 14;
const MOVE_MS = 700;
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
    this.views = new Views();
    this.mode = "pan";
    this.frames = 0;
    this.watcher = new ResizeObserver(() => this.schedule());
    this.watcher.observe(this.grid);
    listenToBar(root, this);
    root.relvizMap = probe(this);
  }

  // --- what Python sends

  update(component) {
    this.component = component;
    this.readTheme();
    const payload = readPayload(component.data);
    const before = this.payload;
    if (payload.digest === before?.digest) return this.schedule();
    const sameRows = before?.identity === payload.identity && before.n === payload.n;
    this.payload = payload;
    if (!sameRows) this.forget();
    this.anchorsShown ??= payload.anchors_shown;
    this.root.style.height = `${payload.height}px`;
    this.canvases[0].hidden = !payload.panes.some((pane) => pane.density);
    this.texts.take(payload);
    this.plots = fillPanes(this.grid, payload);
    this.plots.forEach((plot, pane) => listen(plot, pane, this));
    this.moveFrom(sameRows ? before : undefined);
    this.views.take(payload.panes.map((pane) => pane.group));
    this.refreshLooks();
    return undefined;
  }

  forget() {
    this.views.forget();
    this.selection = new Selection(this.payload.n);
    this.row = -1;
    this.hiddenNames = new Set();
    this.clearSearch();
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
    const panes = [...this.old, ...this.payload.panes].filter((pane) => pane.positions);
    this.wanted = new Map(panes.map((pane) => [pane.digest, pane.positions]));
    this.points.keep(this.wanted);
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
    this.looks = looksOf(this.payload, this);
    this.points.setLooks(this.looks);
    this.labelled = this.rowsToLabel();
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
    this.refreshBar();
    this.schedule();
  }

  rowsToLabel() {
    const { flags } = this.payload;
    const chosen = this.selection.count <= MOST_LABELLED ? [...this.selection.rows()] : [];
    for (let row = 0; row < flags.length && chosen.length < MOST_LABELLED; row++) {
      if (flags[row] & LABELLED) chosen.push(row);
    }
    return chosen;
  }

  refreshBar() {
    const slow = this.points.kind === "canvas" ? "This browser has no WebGL: drawing is slower." : "";
    const { payload, selection, views, mode, notice } = this;
    fillBar(this.root, { payload, selection, views, mode, notice: slow || notice });
  }

  setMode(mode) {
    this.mode = mode;
    this.refreshBar();
  }

  // --- moving

  pan(pane, dx, dy) {
    this.views.pan(pane, this.measured(), dx, dy);
    this.schedule();
  }

  zoom(pane, factor, x, y) {
    this.views.zoom(pane, this.measured(), factor, x, y);
    this.schedule();
  }

  zoomMiddle(pane, factor) {
    this.views.zoomMiddle(pane, this.measured(), factor);
    this.schedule();
  }

  home(pane) {
    this.views.home(pane);
    this.schedule();
  }

  toggleLink() {
    this.views.toggleLink();
    this.refreshBar();
    this.schedule();
  }

  // --- pointing and selecting

  /** Positions of a pane, and where they are drawn; undefined where a message stands. */
  placed(pane) {
    const about = this.payload.panes[pane];
    const frame = pixelFrame(about, this.measured()[pane], this.views.all[pane]);
    return about.positions && { positions: about.positions, frame };
  }

  rowAt(pane, { x, y }) {
    const placed = this.placed(pane);
    return placed ? nearest(placed.positions, this.looks.hidden, placed.frame, x, y, REACH) : -1;
  }

  pointAt(pane, at) {
    const row = at ? this.rowAt(pane, at) : -1;
    if (row >= 0 || this.row >= 0) this.point(row, at);
  }

  point(row, at) {
    this.row = row;
    this.cursor = at;
    this.schedule(true);
  }

  click(pane, at, adds) {
    const row = this.rowAt(pane, at);
    this.selection.choose(row < 0 ? [] : [row], adds, row);
    this.tell();
  }

  selectPointed(adds) {
    if (this.row < 0) return;
    this.selection.choose([this.row], adds, this.row);
    this.tell();
  }

  selectWithin(pane, polygon, adds) {
    const placed = this.placed(pane);
    if (!placed) return;
    this.selection.begin(adds);
    markInPolygon(placed.positions, this.looks.hidden, placed.frame, polygon, this.selection.marks);
    this.selection.end();
    this.tell();
  }

  clear() {
    this.clearSearch();
    if (!this.selection.count) return;
    this.selection.choose([], false);
    this.tell();
  }

  clearSearch() {
    this.root.querySelector(".search").value = "";
    this.searched = "";
    this.notice = "";
  }

  async search(text, done) {
    const wanted = text.trim();
    if (wanted === this.searched) {
      if (done && this.unsaid) this.tell();
      return;
    }
    this.searched = wanted;
    const rows = wanted ? await this.texts.search(wanted, this.payload.n) : [];
    if (wanted !== this.searched) return;
    const nothing = wanted && rows && !rows.length ? "No item has that text." : "";
    this.notice = rows ? nothing : "The texts could not be fetched.";
    this.selection.choose(rows ?? [], false);
    this.tell(done);
  }

  /** Show the selection, and unless more of the gesture is to come, give it to Python. */
  tell(done = true) {
    this.refreshLooks();
    this.unsaid = !done;
    if (done) this.answer = { identity: this.payload.identity, ...this.selection.packed() };
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
    const { positions, frame } = placed;
    const { hidden } = this.looks;
    const row = this.row < 0
      ? nearest(positions, hidden, frame, plot.left + plot.width / 2, plot.top + plot.height / 2, Infinity)
      : nextInDirection(positions, hidden, frame, pixelOf(positions, this.row, frame), direction, this.row);
    if (row < 0) return;
    const { x, y } = pixelOf(positions, row, frame);
    this.views.set(pane, broughtInside(this.views.all[pane], plot, x, y));
    this.schedule();
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
    this.resize(ratio);
    const elapsed = this.movesSince === undefined ? 1 : Math.min(1, (performance.now() - this.movesSince) / MOVE_MS);
    const moving = elapsed < 1;
    const panes = this.drawable(elapsed * elapsed * (3 - 2 * elapsed));
    const { texts, looks, selection, labelled, row, shape, theme } = this;
    if (this.stale) {
      const sizeOf = (view) => this.sizeOf(view);
      this.points.draw(panes.filter(Boolean), { ratio, ...theme, sizeOf, starSize: STAR_SIZE });
      if (!this.canvases[0].hidden) drawDensity(this.under, { ratio, panes, theme });
      this.stale = false;
      this.frames += 1;
    }
    const size = this.sizeOf(this.views.all[0]);
    drawOverlay(this.over, { ratio, panes, moving, texts, looks, selection, labelled, row, shape, theme, size });
    this.showTooltip();
    if (moving) this.schedule();
    else this.movesSince = undefined;
    this.giveAnswer();
  }

  /** Give the selection to Python once it is drawn, so that its work does not hold up the marks. */
  giveAnswer() {
    const { answer, component } = this;
    if (!answer) return;
    this.answer = undefined;
    setTimeout(() => component.setStateValue("chosen", answer));
  }

  resize(ratio) {
    const sides = [this.grid.clientWidth, this.grid.clientHeight].map((side) => Math.round(side * ratio));
    for (const canvas of this.canvases) {
      if (canvas.width === sides[0] && canvas.height === sides[1]) continue;
      [canvas.width, canvas.height] = sides;
      this.stale = true;
    }
  }

  /** What is drawn of each pane, so far moved from its old places to the new; nothing for a message. */
  drawable(moved) {
    const plots = this.measured();
    return this.payload.panes.map((pane, i) => pane.positions && {
      plot: plots[i],
      view: this.views.all[i],
      positions: pane.positions,
      density: pane.density,
      frame: pixelFrame(pane, plots[i], this.views.all[i]),
      from: { digest: this.old[i].digest, frame: unitFrame(this.old[i], plots[i]) },
      to: { digest: pane.digest, frame: unitFrame(pane, plots[i]) },
      moved,
    });
  }

  sizeOf(view) {
    const { n } = this.payload;
    const size = n < 3000 ? 7 : n < 8000 ? 5.5 : n < 30000 ? 4 : 2.6;
    return size * Math.min(2.4, Math.max(0.8, view.zoom ** 0.35));
  }

  showTooltip() {
    const { row, payload, cursor } = this;
    if (row < 0 || !cursor) {
      fillTooltip(this.tooltip, this.root, undefined);
      return;
    }
    const text = this.texts.get(row);
    const starred = payload.flags[row] & (ANCHOR | HOLLOW) ? "anchor" : "";
    const said = [...new Set([text?.label, colourWords(payload, row), starred])].filter(Boolean);
    const item = text?.item ?? (this.texts.failed ? "The text could not be fetched." : "…");
    fillTooltip(this.tooltip, this.root, {
      item,
      kind: said.join(" · "),
      x: cursor.x + this.grid.offsetLeft,
      y: cursor.y + this.grid.offsetTop,
      drawPicture: (context) => this.texts.drawPicture(context, row, 0, 0, 96),
    });
    if (!this.speaks || !text) return;
    this.root.querySelector(".spoken").textContent = [item, ...said].join(", ");
    this.speaks = false;
  }

  release() {
    cancelAnimationFrame(this.pending);
    this.pending = 1; // nothing is scheduled any more
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
