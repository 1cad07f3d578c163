// Finding queries through chosen anchors: the nearest of each by cosine, as relviz.measure counts it.

/** @import { Shaped } from "./arrays.js" */

/**
 * Chosen columns of a matrix `(rows, columns)`, each row scaled to length one; a row of zeros stays so.
 * @param {Shaped} matrix
 * @param {number[]} chosen
 */
export function unitColumns(matrix, chosen) {
  const [rows, columns] = matrix.shape;
  const made = new Float32Array(rows * chosen.length);
  for (let row = 0; row < rows; row++) {
    let squares = 0;
    for (const column of chosen) squares += matrix[row * columns + column] ** 2;
    const length = Math.sqrt(squares) || 1;
    for (let at = 0; at < chosen.length; at++) made[row * chosen.length + at] = matrix[row * columns + chosen[at]] / length;
  }
  return made;
}

/**
 * The row of B nearest to each query of A through chosen anchors; none are found without anchors.
 * @param {Shaped} inA
 * @param {Shaped} inB
 * @param {number[]} chosen
 */
export function nearest(inA, inB, chosen) {
  const width = chosen.length;
  const [queries, items] = [inA.shape[0], inB.shape[0]];
  const found = new Int32Array(queries).fill(-1);
  if (!width) return found;
  const [a, b] = [unitColumns(inA, chosen), unitColumns(inB, chosen)];
  for (let query = 0; query < queries; query++) {
    let best = -2;
    for (let item = 0; item < items; item++) {
      let cosine = 0;
      for (let at = 0; at < width; at++) cosine += a[query * width + at] * b[item * width + at];
      if (cosine > best) {
        best = cosine;
        found[query] = item;
      }
    }
  }
  return found;
}

/**
 * The share of queries whose nearest is their counterpart.
 * @param {Int32Array} found
 * @param {ArrayLike<number>} queries
 */
export const shareFound = (found, queries) => found.reduce((sum, item, at) => sum + Number(item === queries[at]), 0) / queries.length;
