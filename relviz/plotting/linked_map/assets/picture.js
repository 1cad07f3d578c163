// What is drawn: canvases over each other, the points' places, their way from old places to new.

import { find } from "./elements.js";
import { dotOf, pixelFrame, raisedOf, starSize, unitFrame } from "./geometry.js";
import { Items, TEXTS } from "./items.js";
import { drawMarks } from "./marks.js";
import { byDepth } from "./orbit.js";
import { drawOverlay } from "./overlay.js";
import { GLPoints } from "./points_gl.js";
import { RasterPoints } from "./points_raster.js";
/** @import { Looks } from "./coloring.js" */
/** @import { Dot, Frame, Plot, View } from "./geometry.js" */
/** @import { LinkedMap } from "./linked_map.js" */
/** @import { Side } from "./orbit.js" */
/** @import { Shown } from "./overlay.js" */
/** @import { Pane, Payload } from "./payload.js" */

/** @typedef {{ positions: Uint16Array, frame: Frame }} Placed */
/** @typedef {{ digest: string, frame: Frame }} Stand where the points of a digest are, in unit coordinates */

/**
 * @typedef {object} DrawnPane
 * @property {Plot} plot
 * @property {View} view
 * @property {Uint16Array} positions
 * @property {Frame} frame to pixels of the grid
 * @property {Dot} dot
 * @property {Dot} raised
 * @property {Side} [side]
 * @property {Uint32Array} [order] of drawing, where it is not that of the looks
 * @property {Placed | null} joined where the rows lie in another pane
 * @property {Stand} from
 * @property {Stand} to
 * @property {number} moved from the old places to the new, 0 to 1
 */

/** @typedef {{ ratio: number, ink: number[], paper: number[], starSize: number }} Brush */

export class Picture {
  /** @type {HTMLElement[]} */ plots;
  /** @type {Payload} */ payload;
  /** @type {Pane[]} from which points move */ old;
  /** @type {number | undefined} */ movesSince;
  moved = 1;
  /** @type {Map<string, Uint16Array>} */ wanted;
  /** @type {Looks} */ looks;
  /** @type {number | undefined} */ pending;

  /**
   * `map` is what is drawn; `painted` is called after each painting.
   * @param {HTMLElement} root
   * @param {LinkedMap} map
   * @param {() => void} painted
   */
  constructor(root, map, painted) {
    this.root = root;
    this.map = map;
    this.painted = painted;
    this.grid = find(root, "div", ".grid");
    this.canvases = [find(root, "canvas", ".points"), find(root, "canvas", ".over")];
    this.over = /** @type {CanvasRenderingContext2D} */ (this.canvases[1].getContext("2d"));
    this.marks = /** @type {SVGElement} */ (root.querySelector(".marks"));
    this.points = GLPoints.on(this.canvases[0], () => this.restore()) ?? new RasterPoints(this.freshCanvas());
    this.items = new Items();
    /** @type {Shown[]} */
    this.shown = []; // of each pane, pictures and texts of rows, and names of classes
    /** @type {WeakMap<Uint16Array, { looks: Looks, order: Uint32Array }>} */
    this.orders = new WeakMap();
    this.turning = false; // a hand holds the points
    this.frames = 0;
    this.stale = { points: true, labels: true };
    this.watcher = new ResizeObserver(() => this.schedule());
    this.watcher.observe(this.grid);
  }

  /** A canvas that was asked for WebGL gives no other context: another takes its place. */
  freshCanvas() {
    const fresh = /** @type {HTMLCanvasElement} */ (this.canvases[0].cloneNode());
    this.canvases[0].replaceWith(fresh);
    this.canvases[0] = fresh;
    return fresh;
  }

  /**
   * Start every pane at its old places; they move to the new ones unless motion is unwanted.
   * @param {Payload} payload
   * @param {Payload | undefined} before
   * @param {HTMLElement[]} plots
   */
  take(payload, before, plots) {
    this.plots = plots;
    this.payload = payload;
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.old = payload.panes.map((pane, i) => {
      const old = before?.panes[i];
      return old?.positions && pane.positions && !still ? old : pane;
    });
    const changed = this.old.some((old, i) => old.digest !== payload.panes[i].digest);
    [this.movesSince, this.moved] = changed ? [performance.now(), 0] : [undefined, 1];
    this.keep([...this.old, ...payload.panes]);
  }

  /**
   * Show the same points from another side, at once.
   * @param {Payload} payload
   */
  orbit(payload) {
    [this.payload, this.old] = [payload, payload.panes];
    [this.movesSince, this.moved] = [undefined, 1];
    this.keep(payload.panes);
    this.schedule();
  }

  /** @param {Pane[]} panes */
  keep(panes) {
    this.wanted = new Map(panes.flatMap(({ digest, positions }) => (positions ? [[digest, positions]] : [])));
    this.points.keep(this.wanted);
  }

  /** @param {Looks} looks */
  setLooks(looks) {
    this.looks = looks;
    this.points.setLooks(looks);
    this.schedule();
  }

  restore() {
    if (!this.payload) return;
    this.points.keep(this.wanted);
    this.setLooks(this.looks);
  }

  /**
   * Paint before the next frame: everything, or only the labels and what is over them, or only marks.
   * @param {"points" | "labels" | "marks"} what
   */
  schedule(what = "points") {
    if (what === "points") this.stale.points = true;
    if (what !== "marks") this.stale.labels = true;
    this.pending ||= requestAnimationFrame(() => {
      this.pending = undefined;
      if (this.payload && this.root.isConnected) this.paint();
    });
  }

  /**
   * Where the plots lie in the grid, in pixels.
   * @returns {Plot[]}
   */
  measured() {
    return this.plots.map((plot) => ({
      left: plot.offsetLeft + 1,
      top: plot.offsetTop + 1,
      width: Math.max(1, plot.clientWidth),
      height: Math.max(1, plot.clientHeight),
    }));
  }

  /**
   * Positions of a pane, and where they are drawn; undefined where a message stands.
   * @param {number} pane
   * @returns {Placed | null}
   */
  placed(pane) {
    const about = this.payload.panes[pane];
    const frame = pixelFrame(about, this.measured()[pane], this.map.views.all[pane]);
    return about.positions && { positions: about.positions, frame };
  }

  get moving() {
    return this.movesSince !== undefined;
  }

  paint() {
    const { map, looks, stale } = this;
    const ratio = window.devicePixelRatio || 1;
    this.resize(ratio);
    const elapsed = this.movesSince === undefined ? 1 : Math.min(1, (performance.now() - this.movesSince) / this.payload.move_ms);
    if (elapsed === 1) this.movesSince = undefined;
    const { moving } = this;
    this.moved = elapsed * elapsed * (3 - 2 * elapsed);
    const panes = this.drawable(this.moved);
    const { theme, selection } = map;
    if (stale.points) {
      map.showBorders();
      const many = Object.values(this.payload.stars).reduce((sum, count) => sum + count, 0);
      const size = starSize(many, this.measured()[0]);
      this.points.draw(panes.filter((pane) => pane !== null), { ratio, ...theme, starSize: size });
      this.frames += 1;
    }
    if (stale.labels) {
      const over = drawOverlay(this.over, { ...map.over(), items: this.items, ratio, panes, looks, moving: moving || this.turning });
      this.shown = over.shown;
      this.canvases[1].hidden = !over.any;
    }
    this.stale = { points: false, labels: false };
    const rows = new Set(selection.count === 1 ? selection.rows() : []);
    if (map.row >= 0) rows.add(map.row);
    drawMarks(this.marks, { panes, rows: moving ? [] : [...rows], size: this.dotOf(0).size, shape: map.shape });
    if (moving) this.schedule();
    this.painted();
  }

  /** @param {number} ratio */
  resize(ratio) {
    const sides = [this.grid.clientWidth, this.grid.clientHeight].map((side) => Math.round(side * ratio));
    for (const canvas of this.canvases) {
      if (canvas.width === sides[0] && canvas.height === sides[1]) continue;
      [canvas.width, canvas.height] = sides;
      this.stale = { points: true, labels: true };
    }
  }

  /**
   * What is drawn of each pane, so far moved from its old places to the new; nothing for a message.
   * @param {number} moved
   * @returns {(DrawnPane | null)[]}
   */
  drawable(moved) {
    const plots = this.measured();
    return this.payload.panes.map((pane, i) => pane.positions && {
      plot: plots[i],
      view: this.map.views.all[i],
      positions: pane.positions,
      dot: this.dotOf(i),
      raised: raisedOf(this.dotOf(i), this.map.selection.count, this.payload.n),
      side: pane.side,
      order: pane.depths && this.ordered(pane.depths),
      joined: this.elsewhere(pane.joined, plots[i], i),
      frame: pixelFrame(pane, plots[i], this.map.views.all[i]),
      from: { digest: this.old[i].digest, frame: unitFrame(this.old[i], plots[i]) },
      to: { digest: pane.digest, frame: unitFrame(pane, plots[i]) },
      moved,
    });
  }

  /**
   * Rows in the order of drawing, for points in space; found once for a side.
   * @param {Uint16Array} depths
   */
  ordered(depths) {
    const { looks } = this;
    const known = this.orders.get(depths);
    if (known?.looks === looks) return known.order;
    const order = byDepth(looks, depths);
    this.orders.set(depths, { looks, order });
    return order;
  }

  /**
   * The rows' places in another pane, as they lie in this one.
   * @param {number | null} other
   * @param {Plot} plot
   * @param {number} i
   * @returns {Placed | null}
   */
  elsewhere(other, plot, i) {
    const about = this.payload.panes[other ?? -1];
    return about?.positions ? { positions: about.positions, frame: pixelFrame(about, plot, this.map.views.all[i]) } : null;
  }

  /**
   * Size and strength of a pane's dots; those with texts beside them stay small.
   * @param {number} pane
   * @returns {Dot}
   */
  dotOf(pane) {
    const dot = dotOf(this.payload.n, this.measured()[pane], this.map.views.all[pane]);
    return this.map.marks === TEXTS ? { ...dot, size: Math.min(5, dot.size) } : dot;
  }

  release() {
    if (this.pending !== undefined) cancelAnimationFrame(this.pending);
    this.pending = 1; // nothing is scheduled any more
    this.watcher.disconnect();
    this.points.release();
  }
}
