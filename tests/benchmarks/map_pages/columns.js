// The points of the benchmark as the other libraries take them: columns of floats.

export const PANES = 2;
export const SIDE = 690; // pixels

/** Points of both panes within -1 and 1, and a class of each row. */
export async function columns(n) {
  const bytes = await (await fetch(`/columns-${n}.bin`)).arrayBuffer();
  const floats = new Float32Array(bytes, 0, 2 * PANES * n);
  const panes = Array.from({ length: PANES }, (_, pane) => ({
    x: floats.subarray(2 * pane * n, (2 * pane + 1) * n),
    y: floats.subarray((2 * pane + 1) * n, (2 * pane + 2) * n),
  }));
  return { panes, category: new Uint8Array(bytes, 8 * PANES * n, n) };
}

/** An element for each pane, side by side. */
export function frames(name) {
  const row = document.getElementById("map");
  row.className = "panes";
  row.append(...Array.from({ length: PANES }, () => document.createElement(name)));
  return [...row.children];
}
