// What a map leaves behind when its page is left, for when the same rows are shown there again.

const visits = new Map();

/** Keep how a map was looked at, under its name. */
export function remember({ payload, views, selection, hiddenNames, starsShown, arrangement, wished, side, taken, acts }) {
  const { name, identity, n } = payload;
  const looks = { hiddenNames, starsShown, arrangement, wished, side };
  visits.set(name, { identity, n, views, selection, ...looks, taken, mode: acts.mode });
}

/** How the map of these rows was looked at last; undefined if it was not. */
export function recall({ name, identity, n }) {
  const found = visits.get(name);
  return found?.identity === identity && found.n === n ? found : undefined;
}
