// Numbers that look random and are the same in every run.

/** Numbers in [0, 1) by mulberry32 (Tommy Ettinger, 2017). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Call a check with the generators of so many seeds; a failure names its seed. */
export function forSeeds(count, check) {
  for (let seed = 0; seed < count; seed++) {
    try {
      check(seeded(seed));
    } catch (reason) {
      reason.message = `seed ${seed}: ${reason.message}`;
      throw reason;
    }
  }
}

/** An integer from `low` to `high`, both included. */
export function whole(random, low, high) {
  return low + Math.floor(random() * (high - low + 1));
}

/** Places of `n` rows as the map gets them: 16-bit numbers, x and y in turn. */
export function places(random, n) {
  return Uint16Array.from({ length: 2 * n }, () => whole(random, 0, 65535));
}

/** A plot somewhere in the grid, a pane with home within its box, and a view of it. */
export function scene(random) {
  const between = (low, high) => low + (high - low) * random();
  const [x0, y0] = [between(-50, 50), between(-50, 50)];
  const home = [x0, y0, x0 + between(0.1, 90), y0 + between(0.1, 90)];
  const box = [home[0] - between(0, 9), home[1] - between(0, 9), home[2] + between(0, 9), home[3] + between(0, 9)];
  const plot = { left: between(0, 700), top: between(0, 500), width: between(40, 900), height: between(40, 700) };
  const view = { x: between(-0.6, 0.6), y: between(-0.6, 0.6), zoom: Math.exp(between(-1.5, 5)) };
  return { pane: { box, home }, plot, view };
}
