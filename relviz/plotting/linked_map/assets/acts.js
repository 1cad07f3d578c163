// What gestures and buttons do to a map: move it, point at rows, select them.

import { wholeView } from "./border.js";
import { find } from "./elements.js";
import { broughtInside, pixelOf } from "./geometry.js";
import { itemAt } from "./items.js";
import { FRONT, orbited, stepped } from "./orbit.js";
import { markInPolygon, nearest, nextInDirection } from "./picking.js";
/** @import { Arrangement } from "./arrange.js" */
/** @import { Point } from "./geometry.js" */
/** @import { Marks } from "./items.js" */
/** @import { LinkedMap } from "./linked_map.js" */

/** @typedef {"pan" | "orbit" | "box" | "lasso"} Mode what dragging does */

const REACH = 14;

export class Acts {
  /** @param {LinkedMap} map */
  constructor(map) {
    this.map = map;
    this.picture = map.picture;
    /** @type {Mode} */
    this.mode = "pan";
    this.deep = false;
    this.searched = "";
  }

  /** @param {Mode} mode */
  setMode(mode) {
    this.mode = mode;
    this.map.refreshBar();
  }

  /**
   * Points in space are orbited by dragging, until something else is chosen.
   * @param {boolean} deep
   */
  takeDepth(deep) {
    if (deep === this.deep) return;
    this.deep = deep;
    if (deep) this.mode = "orbit";
    else if (this.mode === "orbit") this.mode = "pan";
  }

  // --- moving

  /**
   * Follow a hand by so many pixels, until it lets go.
   * @param {number} dx
   * @param {number} dy
   */
  orbit(dx, dy) {
    this.picture.turning = true;
    this.map.orbit(orbited(this.map.side, dx, dy));
  }

  rest() {
    if (!this.picture.turning) return;
    this.picture.turning = false;
    this.picture.schedule();
  }

  /** @param {Point} direction */
  orbitStep(direction) {
    this.map.orbit(stepped(this.map.side, direction));
  }

  /**
   * @param {number} pane
   * @param {number} dx
   * @param {number} dy
   */
  pan(pane, dx, dy) {
    this.map.views.pan(pane, this.picture.measured(), dx, dy);
    this.picture.schedule();
  }

  /**
   * @param {number} pane
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoom(pane, factor, x, y) {
    this.map.views.zoom(pane, this.picture.measured(), factor, x, y);
    this.picture.schedule();
  }

  /**
   * @param {number | undefined} pane
   * @param {number} factor
   */
  zoomMiddle(pane, factor) {
    this.map.views.zoomMiddle(pane, this.picture.measured(), factor);
    this.picture.schedule();
  }

  /** @param {number | undefined} pane */
  home(pane) {
    this.map.views.home(pane);
    if (this.deep) this.map.orbit(FRONT);
    this.picture.schedule();
  }

  toggleLink() {
    this.map.views.toggleLink();
    this.map.refreshBar();
    this.picture.schedule();
  }

  /**
   * Have items be shown as dots, pictures or texts.
   * @param {Marks} marks
   */
  setMarks(marks) {
    this.map.wish({ marks });
  }

  toggleNames() {
    this.map.wish({ named: !this.map.wished.named });
  }

  /**
   * Have panes be centered on their own points, or turned onto another; or as they were fitted.
   * @param {keyof Arrangement} name
   */
  toggleArrangement(name) {
    const { map } = this;
    map.arrangement = { ...map.arrangement, [name]: !map.arrangement[name] };
    map.arrange();
  }

  /**
   * Zoom out until nothing of a pane, or of those that move with it, is outside.
   * @param {number} pane
   */
  showAll(pane) {
    const { views, payload } = this.map;
    const group = views.group(pane).filter((one) => payload.panes[one].positions);
    const plots = this.picture.measured();
    views.set(pane, wholeView(group.map((one) => payload.panes[one]), group.map((one) => plots[one])));
    this.picture.schedule();
  }

  // --- pointing

  /**
   * The row whose picture or text lies under a pixel, or else the one whose dot is near.
   * @param {number} pane
   * @param {Point} at
   */
  rowAt(pane, { x, y }) {
    const item = itemAt(this.picture.shown[pane]?.items ?? [], x, y);
    if (item >= 0) return item;
    const placed = this.picture.placed(pane);
    return placed ? nearest(placed.positions, this.map.looks.hidden, placed.frame, x, y, REACH) : -1;
  }

  /**
   * @param {number} pane
   * @param {Point | undefined} at
   */
  pointAt(pane, at) {
    const row = at ? this.rowAt(pane, at) : -1;
    if (row >= 0 || this.map.row >= 0) this.map.point(row, at);
  }

  /**
   * Go to the next item in a direction; it comes into sight if it is not.
   * @param {number} pane
   * @param {Point} direction
   */
  step(pane, direction) {
    const { map, picture } = this;
    const placed = picture.placed(pane);
    if (!placed) return;
    const plot = picture.measured()[pane];
    const { positions, frame } = placed;
    const { hidden } = map.looks;
    const row = map.row < 0
      ? nearest(positions, hidden, frame, plot.left + plot.width / 2, plot.top + plot.height / 2, Infinity)
      : nextInDirection(positions, hidden, frame, pixelOf(positions, map.row, frame), direction, map.row);
    if (row < 0) return;
    const { x, y } = pixelOf(positions, row, frame);
    map.views.set(pane, broughtInside(map.views.all[pane], plot, x, y));
    picture.schedule();
    const shown = picture.placed(pane) ?? placed;
    map.point(row, pixelOf(positions, row, shown.frame), true);
  }

  // --- selecting

  /**
   * @param {number} pane
   * @param {Point} at
   * @param {boolean} adds
   */
  click(pane, at, adds) {
    const row = this.rowAt(pane, at);
    this.map.selection.choose(row < 0 ? [] : [row], adds, row);
    this.map.tell();
  }

  /** @param {boolean} adds */
  selectPointed(adds) {
    const { row } = this.map;
    if (row < 0) return;
    this.map.selection.choose([row], adds, row);
    this.map.tell();
  }

  /**
   * @param {number} pane
   * @param {number[]} polygon
   * @param {boolean} adds
   */
  selectWithin(pane, polygon, adds) {
    const placed = this.picture.placed(pane);
    if (!placed) return;
    const { selection, looks } = this.map;
    selection.begin(adds);
    markInPolygon(placed.positions, looks.hidden, placed.frame, polygon, selection.marks);
    selection.end();
    this.map.tell();
  }

  /**
   * Show the outline of a box or lasso that is being drawn; without a polygon it goes away.
   * @param {number} pane
   * @param {number[] | undefined} polygon
   */
  outline(pane, polygon) {
    this.map.shape = polygon && { plot: this.picture.measured()[pane], polygon };
    this.picture.schedule("marks");
  }

  clear() {
    this.clearSearch();
    if (!this.map.selection.count) return;
    this.map.selection.choose([], false);
    this.map.tell();
  }

  clearSearch() {
    find(this.map.root, "input", ".search").value = "";
    this.searched = "";
    this.map.notice = "";
  }

  /**
   * @param {string} text
   * @param {boolean} done
   */
  async search(text, done) {
    const { map } = this;
    const wanted = text.trim();
    if (wanted === this.searched) {
      if (done && map.unsaid) map.tell();
      return;
    }
    this.searched = wanted;
    const rows = wanted ? await map.texts.search(wanted) : [];
    if (wanted !== this.searched) return;
    if (!rows) this.searched = ""; // the same words may be tried again
    const nothing = wanted && rows && !rows.length ? "No matching items" : "";
    map.notice = rows ? nothing : "The texts could not be loaded.";
    if (rows) map.selection.choose(rows, false);
    map.tell(done);
  }
}
