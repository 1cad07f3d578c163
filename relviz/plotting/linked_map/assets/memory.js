// What a map leaves behind when its page is left, for when the same rows are shown there again.

/** @import { Mode } from "./acts.js" */
/** @import { LinkedMap } from "./linked_map.js" */
/** @import { Payload } from "./payload.js" */

/** @typedef {Pick<LinkedMap, "views" | "selection" | "hiddenNames" | "starsShown" | "arrangement" | "wished" | "side" | "taken">} Looked */
/** @type {Map<string, Looked & { identity: string, n: number, mode: Mode }>} */
const visits = new Map();

/**
 * Keep how a map was looked at, under its name.
 * @param {LinkedMap} map
 */
export function remember({ payload, views, selection, hiddenNames, starsShown, arrangement, wished, side, taken, acts }) {
  const { name, identity, n } = payload;
  const looks = { hiddenNames, starsShown, arrangement, wished, side };
  visits.set(name, { identity, n, views, selection, ...looks, taken, mode: acts.mode });
}

/**
 * How the map of these rows was looked at last; undefined if it was not.
 * @param {Payload} payload
 */
export function recall({ name, identity, n }) {
  const found = visits.get(name);
  return found?.identity === identity && found.n === n ? found : undefined;
}
