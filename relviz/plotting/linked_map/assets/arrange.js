// Panes laid out otherwise than they were fitted: each about its own points, or turned onto another.

import { STEPS } from "./geometry.js";
import { projected } from "./orbit.js";

/** What can be asked of the panes of a payload. */
export function arrangements({ panes }) {
  return { centered: panes.some((pane) => pane.own_home), turned: panes.some((pane) => pane.turn) };
}

/** The payload with its panes as they are asked for, those in space from a side; captions say what was done. */
export function arranged(payload, { centered, turned }, side) {
  const panes = payload.panes.map((pane) => {
    if (pane.space) return projected(pane, side);
    if (turned && pane.turn) return turnedPane(pane);
    if (centered && pane.own_home) return centeredPane(pane);
    return pane;
  });
  return { ...payload, panes, digest: `${payload.digest} ${Number(centered)}${Number(turned)}` };
}

function centeredPane(pane) {
  const caption = `${pane.caption} · centered on its own points, at the same scale`;
  return { ...pane, caption, home: pane.own_home, centered: true, digest: `${pane.digest} centered` };
}

/** Positions are numbers within a box; of the turned points there is another box. */
function turnedPane(pane) {
  const { positions, turn, box: [x0, y0, x1, y1] } = pane;
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
  const box = [left, low, right > left ? right : left + 1, high > low ? high : low + 1];
  const [across, up] = [STEPS / (box[2] - box[0]), STEPS / (box[3] - box[1])];
  const moved = Uint16Array.from(places, (value, i) =>
    Math.round(i % 2 ? (value - box[1]) * up : (value - box[0]) * across),
  );
  const caption = `${pane.caption} · ${turn.words}`;
  return { ...pane, caption, positions: moved, box, home: turn.home, turned: true, digest: `${pane.digest} turned` };
}
