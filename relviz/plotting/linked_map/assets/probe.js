// What tests ask of a map: numbers in place of pixels. Nothing here changes what is shown.

import { pixelOf } from "./geometry.js";
/** @import { Frame, Point } from "./geometry.js" */
/** @import { LinkedMap } from "./linked_map.js" */
/** @import { Way } from "./overlay.js" */
/** @import { Placed } from "./picture.js" */

/** @typedef {ReturnType<typeof probe>} Probe */

/** @param {LinkedMap} map */
export function probe(map) {
  return {
    frames: () => map.picture.frames,
    selectedCount: () => map.selection.count,
    /** @type {(pane: number, row: number) => Point} */
    pixel: (pane, row) => {
      const { x, y } = pixelOf(...placedAt(map, pane, row));
      const { left, top } = map.picture.grid.getBoundingClientRect();
      return { x: x + left, y: y + top };
    },
    /** @type {(pane: number, row: number) => Way | null | undefined} */
    way: (pane, row) => {
      const joined = map.picture.drawable(1)[pane]?.joined;
      return joined && [pixelOf(joined.positions, row, joined.frame), pixelOf(...placedAt(map, pane, row))];
    },
    painted: () => painted(map),
    /** @param {number} pane */
    pixels: (pane) => {
      const { width, height, data } = shots(map)[pane];
      return [width, height, ...data];
    },
    state: () => ({
      identity: map.payload.identity,
      renderer: map.picture.points.kind,
      drawn: map.payload.panes.map((pane) => (pane.positions ? map.picture.points.drawn : 0)),
      sums: map.payload.panes.map((pane) => checksum(pane.positions)),
      views: map.views.all.map((view) => ({ ...view })),
      hidden: [...map.hiddenNames],
      selected: [...map.selection.rows()],
      marked: map.payload.panes.map((pane) => (pane.positions ? marked(map) : [])),
      marks: map.marks,
      items: map.picture.shown.map(({ items }) => items.map(({ row }) => row)),
      names: map.picture.shown.map(({ names }) => names.map(({ text }) => text)),
      pointed: map.row,
      side: { ...map.side },
      moving: map.picture.moving,
      moved: map.picture.moved,
      frames: map.picture.frames,
    }),
  };
}

/**
 * @param {LinkedMap} map
 * @param {number} pane
 * @param {number} row
 * @returns {[Uint16Array, number, Frame]}
 */
function placedAt(map, pane, row) {
  const { positions, frame } = /** @type {Placed} */ (map.picture.placed(pane));
  return [positions, row, frame];
}

/** @param {Uint16Array | null} positions */
function checksum(positions) {
  return positions?.reduce((sum, step, i) => sum + step * (1 + (i % 7)), 0);
}

/**
 * Rows that are drawn at full strength while others are dimmed.
 * @param {LinkedMap} map
 */
function marked({ looks, selection }) {
  if (selection.count < 2) return [...selection.rows()];
  return Array.from(looks.order).filter((row) => looks.rgba[4 * row + 3] === 255).sort((a, b) => a - b);
}

/**
 * What the points' canvas shows in each pane.
 * @param {LinkedMap} map
 */
function shots({ picture }) {
  picture.stale.points = true;
  picture.paint();
  const [canvas] = picture.canvases;
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = /** @type {CanvasRenderingContext2D} */ (copy.getContext("2d"));
  context.drawImage(canvas, 0, 0);
  const ratio = window.devicePixelRatio || 1;
  return picture.measured().map((plot) => {
    const [left, top, width, height] = [plot.left, plot.top, plot.width, plot.height].map((side) => Math.round(side * ratio));
    return context.getImageData(left, top, width, height);
  });
}

/**
 * How many pixels have a color, in each pane.
 * @param {LinkedMap} map
 */
function painted(map) {
  return shots(map).map(({ data }) => {
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += Number(data[i] > 0);
    return count;
  });
}
