// The shapes of points as lists of covered pixels, at sixteen places within a pixel.

/** @typedef {{ side: number, phases: Record<"columns" | "lines" | "cover", Int32Array>[] }} Stamps */

export const PHASES = 4;
const FIFTH = (2 * Math.PI) / 5;
const INNER = 0.42;

const MOST_KEPT = 60;
/** @type {Map<string, Stamps>} */
const kept = new Map();

/**
 * Stamps of a disc of that diameter.
 * @param {number} size
 */
export function discs(size) {
  return once(`disc ${size}`, () => stamps(size / 2, (x, y) => Math.hypot(x, y) - size / 2));
}

/**
 * Stamps of a star of that diameter, drawn in by some pixels.
 * @param {number} size
 * @param {number} [inset]
 */
export function stars(size, inset = 0) {
  const corner = { x: INNER * (size / 2) * Math.cos(FIFTH / 2), y: INNER * (size / 2) * Math.sin(FIFTH / 2) };
  return once(`star ${size} ${inset}`, () => stamps(size / 2, (x, y) => starEdge(x, y, size / 2, corner) + inset));
}

/**
 * Stamps that are asked for with every frame are made with the first.
 * @param {string} name
 * @param {() => Stamps} make
 * @returns {Stamps}
 */
function once(name, make) {
  if (kept.size > MOST_KEPT) kept.clear();
  const made = kept.get(name) ?? make();
  kept.set(name, made);
  return made;
}

/**
 * From the distance to an edge, negative within: the pixels covered, by how much (0 … 256), in which square.
 * @param {number} reach
 * @param {(x: number, y: number) => number} edge
 * @returns {Stamps}
 */
function stamps(reach, edge) {
  const side = Math.ceil(2 * reach + 2);
  const phases = Array.from({ length: PHASES * PHASES }, (_, phase) => {
    const [columns, lines, cover] = [0, 1, 2].map(() => /** @type {number[]} */ ([]));
    const middleX = side / 2 - 0.5 + ((phase % PHASES) + 0.5) / PHASES;
    const middleY = side / 2 - 0.5 + (Math.floor(phase / PHASES) + 0.5) / PHASES;
    for (let i = 0; i < side * side; i++) {
      const [column, line] = [i % side, Math.floor(i / side)];
      const covered = Math.round(256 * (1 - smooth(edge(column + 0.5 - middleX, line + 0.5 - middleY) + 0.5)));
      if (covered === 0) continue;
      columns.push(column);
      lines.push(line);
      cover.push(covered);
    }
    return { columns: Int32Array.from(columns), lines: Int32Array.from(lines), cover: Int32Array.from(cover) };
  });
  return { side, phases };
}

/**
 * A star is folded onto a tenth of itself, where its edge is one straight line.
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {{ x: number, y: number }} corner
 */
function starEdge(x, y, radius, corner) {
  const angle = Math.abs(FIFTH / 2 - ((((Math.atan2(x, -y) + FIFTH / 2) % FIFTH) + FIFTH) % FIFTH));
  const length = Math.hypot(x, y);
  const [alongX, alongY] = [corner.x - radius, corner.y];
  const across = (length * Math.cos(angle) - radius) * alongY - length * Math.sin(angle) * alongX;
  return across / Math.hypot(alongX, alongY);
}

/** @param {number} value */
function smooth(value) {
  const at = Math.min(1, Math.max(0, value));
  return at * at * (3 - 2 * at);
}
