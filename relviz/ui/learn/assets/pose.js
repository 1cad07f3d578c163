// A toy space and its moved copy: the same steps, in the same order, as relviz.results.stories.pose.

/** @import { Values } from "./controls.js" */

/** @typedef {{ turn: number, mirror: boolean, scale: number, shift: number, stretch: number }} Pose */
/** @typedef {number[]} Vector of two or three numbers */

/**
 * The pose that controls ask for; a control that a step has not is at rest.
 * @param {Values} values
 * @returns {Pose}
 */
export function poseOf(values) {
  /** @type {(name: string, rest: number) => number} */
  const number = (name, rest) => Number(values[name] ?? rest);
  return {
    turn: number("turn", 0),
    mirror: values.mirror === "on",
    scale: number("scale", 100),
    shift: number("shift", 0),
    stretch: number("stretch", 100),
  };
}

/**
 * Places mirrored, squeezed along y, turned, rescaled and shifted; all are arrays of two or three numbers.
 * @param {Vector[]} places
 * @param {Pose} pose
 * @param {Vector} axis
 * @returns {Vector[]}
 */
export function posed(places, pose, axis) {
  const turn = rotation(pose.turn, places[0].length, axis);
  const shift = [1, 0.6, 0].map((part) => (part * pose.shift) / 100);
  return places.map((place) => {
    const [x, y, ...z] = place;
    const moved = [pose.mirror ? -x : x, (y * pose.stretch) / 100, ...z];
    return turn.map((row, at) => (dot(row, moved) * pose.scale) / 100 + shift[at]);
  });
}

/**
 * Rows of a rotation: in the plane, or about a unit axis.
 * @param {number} degrees
 * @param {number} dimension
 * @param {Vector} axis
 * @returns {Vector[]}
 */
export function rotation(degrees, dimension, axis) {
  const turn = (degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  if (dimension === 2) return [[c, -s], [s, c]];
  const [x, y, z] = axis;
  const k = 1 - c;
  return [
    [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
    [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
    [z * x * k - y * s, z * y * k + x * s, c + z * z * k],
  ];
}

/**
 * @param {Vector} one
 * @param {Vector} other
 */
export const dot = (one, other) => one.reduce((sum, part, at) => sum + part * other[at], 0);

/**
 * The mean of places.
 * @param {Vector[]} places
 */
export const mean = (places) => places[0].map((_, axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);

/**
 * Places minus one of them, or minus a mean.
 * @param {Vector[]} places
 * @param {Vector} middle
 */
export const minus = (places, middle) => places.map((place) => place.map((part, axis) => part - middle[axis]));

/**
 * The cosines of a place to others; 0 for a place at the origin.
 * @param {Vector} place
 * @param {Vector[]} others
 */
export function cosines(place, others) {
  /** @param {Vector} one */
  const length = (one) => Math.hypot(...one);
  return others.map((other) => dot(place, other) / (length(place) * length(other) || 1));
}
