// Boxes on a map that lie over one another nowhere: which of many find room, the first before the later.

import { LEAST_ZOOM } from "./geometry.js";

/** @typedef {[left: number, top: number, right: number, bottom: number]} Corners */

const LINE = 2 ** 22; // cells side by side at most
const LEVELS = 4; // of zoom, while it doubles

/** The boxes that are taken, in cells of so many pixels. */
export class Taken {
  constructor(cell = 32) {
    this.cell = cell;
    /** @type {Map<number, number[]>} */
    this.cells = new Map();
  }

  /**
   * Whether a box lies over none that is taken.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   */
  free(left, top, right, bottom) {
    const { cell, cells } = this;
    const [first, last] = [Math.floor(left / cell), Math.floor(right / cell)];
    for (let line = Math.floor(top / cell); line * cell < bottom; line++) {
      for (let column = first; column <= last; column++) {
        const boxes = cells.get(line * LINE + column);
        if (!boxes) continue;
        for (let i = 0; i < boxes.length; i += 4) {
          if (left < boxes[i + 2] && right > boxes[i] && top < boxes[i + 3] && bottom > boxes[i + 1]) return false;
        }
      }
    }
    return true;
  }

  /**
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   */
  take(left, top, right, bottom) {
    const { cell, cells } = this;
    for (let line = Math.floor(top / cell); line * cell < bottom; line++) {
      for (let column = Math.floor(left / cell); column * cell < right; column++) {
        const key = line * LINE + column;
        const boxes = cells.get(key);
        if (boxes) boxes.push(left, top, right, bottom);
        else cells.set(key, [left, top, right, bottom]);
      }
    }
  }

  /**
   * Take a box if it is free; whether it was.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   */
  claim(left, top, right, bottom) {
    const free = this.free(left, top, right, bottom);
    if (free) this.take(left, top, right, bottom);
    return free;
  }
}

/**
 * Which rows show their boxes at a zoom. The choice depends on nothing but the zoom: boxes that are there
 * stay while one moves the map and zooms in, and more come where they find room.
 */
export class Appearing {
  /**
   * @param {number[]} rows the first before the later
   * @param {(row: number, zoom: number) => Corners} boxOf in pixels from a fixed place of the map; a box grows
   *     no faster than the map
   * @param {number} [cell]
   */
  constructor(rows, boxOf, cell) {
    this.waiting = rows;
    this.boxOf = boxOf;
    this.cell = cell;
    /** @type {number[]} */
    this.shown = [];
    /** @type {number[]} */
    this.counts = []; // rows shown, for each level from the lowest on
  }

  /**
   * The rows that show their boxes, those that appear first at the lowest zoom first.
   * @param {number} zoom
   */
  at(zoom) {
    const level = levelOf(zoom) - LOWEST;
    while (this.counts.length <= level) this.fill(2 ** ((LOWEST + this.counts.length) / LEVELS));
    return this.shown.slice(0, this.counts[level]);
  }

  /** @param {number} zoom */
  fill(zoom) {
    if (this.waiting.length) {
      const taken = new Taken(this.cell);
      for (const row of this.shown) taken.take(...this.boxOf(row, zoom));
      this.waiting = this.waiting.filter((row) => {
        const found = taken.claim(...this.boxOf(row, zoom));
        if (found) this.shown.push(row);
        return !found;
      });
    }
    this.counts.push(this.shown.length);
  }
}

/** @param {number} zoom */
function levelOf(zoom) {
  return Math.floor(LEVELS * Math.log2(zoom) + 1e-6);
}

const LOWEST = levelOf(LEAST_ZOOM);
