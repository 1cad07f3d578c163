// What a map shows of its points, for a figure that prints the same: hidden classes, and what a moved pane shows.

import { STEPS } from "./geometry.js";
/** @import { Frame, Plot } from "./geometry.js" */
/** @import { LinkedMap } from "./linked_map.js" */
/** @import { Pane } from "./payload.js" */

/** @typedef {{ hidden: string[], turned: boolean, windows: (number[] | null)[], side: number[] | null }} Seen */

/**
 * Hidden classes of those that color the map, whether maps are turned onto the first, and of each pane that was moved,
 * zoomed or centered: lowest x, highest x, lowest y, highest y, of a turned one in its axes.
 * Of points in space the side that they are seen from: the angles of yaw and pitch.
 * @param {LinkedMap} map
 * @returns {Seen}
 */
export function seen({ payload, hiddenNames, views, picture, side }) {
  const plots = picture.measured();
  const windows = payload.panes.map((pane, at) => {
    const { x, y, zoom } = views.all[at];
    const moved = x || y || zoom !== 1 || pane.centered;
    const placed = picture.placed(at);
    return placed && moved && !pane.space ? shown(pane, plots[at], placed.frame) : null;
  });
  const classes = payload.colors?.kind === "class" ? payload.colors.names : [];
  const hidden = classes.filter((name) => hiddenNames.has(name)).sort();
  const from = payload.panes.some((pane) => pane.space) ? [side.yaw, side.pitch] : null;
  return { hidden, turned: payload.panes.some((pane) => pane.turned), windows, side: from };
}

/**
 * Whether that is what a map shows when it opens.
 * @param {Seen} seen
 */
export function isAsOpened({ hidden, turned, windows, side }) {
  return !hidden.length && !turned && !windows.some(Boolean) && !side?.some(Boolean);
}

/**
 * @param {Pick<Pane, "box">} pane
 * @param {Plot} plot
 * @param {Frame} frame
 */
function shown({ box: [x0, y0, x1, y1] }, { left, top, width, height }, { sx, sy, ox, oy }) {
  /** @param {number} pixel */
  const across = (pixel) => x0 + ((pixel - ox) / sx / STEPS) * (x1 - x0);
  /** @param {number} pixel */
  const up = (pixel) => y0 + ((pixel - oy) / sy / STEPS) * (y1 - y0);
  return [across(left), across(left + width), up(top + height), up(top)];
}
