// Zoom and center of every pane. Panes of a group, fitted together, move as one while that is switched on.

import { homeView, panned, zoomed } from "./geometry.js";
/** @import { Plot, View } from "./geometry.js" */

export class Views {
  constructor() {
    this.linked = true;
    /** @type {(number | null)[]} */
    this.groups = [];
    /** @type {View[]} */
    this.all = [];
  }

  /**
   * Take the groups of the panes there are now; views stay with their place.
   * @param {(number | null)[]} groups
   */
  take(groups) {
    this.groups = groups;
    this.all = groups.map((_, pane) => this.all[pane] ?? homeView());
    this.join();
  }

  forget() {
    this.all = [];
  }

  /**
   * Panes that move with a pane, itself among them.
   * @param {number} pane
   * @param {boolean} [whatever]
   */
  group(pane, whatever = false) {
    const group = this.groups[pane];
    if (group === null || !(this.linked || whatever)) return [pane];
    return this.groups.flatMap((other, i) => (other === group ? [i] : []));
  }

  get canLink() {
    return this.groups.some((_, pane) => this.group(pane, true).length > 1);
  }

  toggleLink() {
    this.linked = !this.linked;
    this.join();
  }

  join() {
    this.all.forEach((_, pane) => this.set(pane, this.all[this.group(pane)[0]]));
  }

  /**
   * @param {number} pane
   * @param {View} view
   */
  set(pane, view) {
    for (const other of this.group(pane)) this.all[other] = view;
  }

  /**
   * @param {number} pane
   * @param {Plot[]} plots
   * @param {number} dx
   * @param {number} dy
   */
  pan(pane, plots, dx, dy) {
    this.set(pane, panned(this.all[pane], plots[pane], dx, dy));
  }

  /**
   * @param {number} pane
   * @param {Plot[]} plots
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoom(pane, plots, factor, x, y) {
    this.set(pane, zoomed(this.all[pane], plots[pane], factor, x, y));
  }

  /**
   * Zoom about the middle of a pane; without one, of every pane or group.
   * @param {number | undefined} pane
   * @param {Plot[]} plots
   * @param {number} factor
   */
  zoomMiddle(pane, plots, factor) {
    for (const one of this.leaders(pane)) {
      const { left, top, width, height } = plots[one];
      this.zoom(one, plots, factor, left + width / 2, top + height / 2);
    }
  }

  /** @param {number | undefined} pane */
  home(pane) {
    for (const one of this.leaders(pane)) this.set(one, homeView());
  }

  /** @param {number | undefined} pane */
  leaders(pane) {
    if (pane !== undefined) return [pane];
    return this.all.map((_, one) => one).filter((one) => this.group(one)[0] === one);
  }
}
