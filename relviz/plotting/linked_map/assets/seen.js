// What a map shows of its points, for a figure that prints the same: hidden classes, and what a moved pane shows.

import { STEPS } from "./geometry.js";

/**
 * Hidden classes, and of each pane that was moved, zoomed or centered: lowest x, highest x, lowest y, highest y.
 * A print knows nothing of a pane that was turned, or is in space.
 */
export function seen({ payload, hiddenNames, views, picture }) {
  const plots = picture.measured();
  const windows = payload.panes.map((pane, at) => {
    const { x, y, zoom } = views.all[at];
    const moved = x || y || zoom !== 1 || pane.centered;
    return pane.positions && moved && !pane.turned && !pane.space ? shown(pane, plots[at], picture.placed(at).frame) : null;
  });
  return { hidden: [...hiddenNames].sort(), windows };
}

function shown({ box: [x0, y0, x1, y1] }, { left, top, width, height }, { sx, sy, ox, oy }) {
  const across = (pixel) => x0 + ((pixel - ox) / sx / STEPS) * (x1 - x0);
  const up = (pixel) => y0 + ((pixel - oy) / sy / STEPS) * (y1 - y0);
  return [across(left), across(left + width), up(top + height), up(top)];
}
