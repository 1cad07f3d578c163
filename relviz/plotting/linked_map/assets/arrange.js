// Panes laid out otherwise than they were fitted: each about its own points, or turned onto another.

import { STEPS } from "./geometry.js";
import { projected } from "./orbit.js";
/** @import { Box } from "./geometry.js" */
/** @import { Side } from "./orbit.js" */
/** @import { Pane, Payload, Turn } from "./payload.js" */

/** @typedef {{ centered: boolean, turned: boolean }} Arrangement */

/**
 * What can be asked of the panes of a payload.
 * @param {Payload} payload
 * @returns {Arrangement}
 */
export function arrangements({ panes }) {
  return { centered: panes.some((pane) => pane.own_home), turned: panes.some((pane) => pane.turn) };
}

/**
 * The payload with its panes as they are asked for, those in space from a side; captions say what was done.
 * @param {Payload} payload
 * @param {Arrangement} arrangement
 * @param {Side} side
 * @returns {Payload}
 */
export function arranged(payload, { centered, turned }, side) {
  const panes = payload.panes.map((pane) => {
    if (pane.space) return projected(pane, side);
    if (turned && pane.turn && pane.positions) return turnedPane(pane, pane.turn, pane.positions);
    if (centered && pane.own_home) return centeredPane(pane, pane.own_home);
    return pane;
  });
  return { ...payload, panes, digest: `${payload.digest} ${Number(centered)}${Number(turned)}` };
}

/**
 * @param {Pane} pane
 * @param {Box} home
 * @returns {Pane}
 */
function centeredPane(pane, home) {
  const caption = `${pane.caption} · centered on its own points, at the same scale`;
  return { ...pane, caption, home, centered: true, digest: `${pane.digest} centered` };
}

/**
 * Positions are numbers within a box; of the turned points there is another box.
 * @param {Pane} pane
 * @param {Turn} turn
 * @param {Uint16Array} positions
 * @returns {Pane}
 */
function turnedPane(pane, turn, positions) {
  const [x0, y0, x1, y1] = pane.box;
  const [a, b, c, d] = turn.matrix;
  const [sx, sy] = [(x1 - x0) / STEPS, (y1 - y0) / STEPS];
  const places = new Float64Array(positions.length);
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 2) {
    const [x, y] = [x0 + positions[i] * sx, y0 + positions[i + 1] * sy];
    const [u, v] = [x * a + y * c, x * b + y * d];
    [places[i], places[i + 1]] = [u, v];
    [left, right] = [Math.min(left, u), Math.max(right, u)];
    [low, high] = [Math.min(low, v), Math.max(high, v)];
  }
  /** @type {Box} */
  const box = [left, low, right > left ? right : left + 1, high > low ? high : low + 1];
  const [across, up] = [STEPS / (box[2] - box[0]), STEPS / (box[3] - box[1])];
  const moved = Uint16Array.from(places, (value, i) =>
    Math.round(i % 2 ? (value - box[1]) * up : (value - box[0]) * across),
  );
  const caption = `${pane.caption} · ${turn.words}`;
  return { ...pane, caption, positions: moved, box, home: turn.home, turned: true, digest: `${pane.digest} turned` };
}
