// What Streamlit sends with every update: it fetches the map itself, once.

// Streamlit forgets a file for as long as a page's script runs anew; what was just missed comes a little later.
const WAITS_MS = [250, 500, 1000, 2000, 4000];
const PATIENCE_MS = 8000;
const maps = new Map();

/** The map's module; a failed import is remembered by the browser, so each try has a name of its own. */
async function load(path) {
  for (let tries = 0; ; tries++) {
    const url = new URL(path, window.location.origin);
    if (tries) url.searchParams.set("try", tries);
    try {
      return await Promise.race([import(url.href), late()]);
    } catch (reason) {
      if (tries === WAITS_MS.length) throw reason;
      await new Promise((resolve) => setTimeout(resolve, WAITS_MS[tries]));
    }
  }
}

/** Fails after a while: a request that nobody answers must not hold the map up for good. */
function late() {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("the server did not answer")), PATIENCE_MS);
  });
}

export default async function (component) {
  const { data, parentElement } = component;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  const { code } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  if (!maps.has(code)) maps.set(code, load(code));
  try {
    return (await maps.get(code)).mount(component);
  } catch (reason) {
    maps.delete(code);
    const said = document.createElement("p");
    said.textContent = `The map could not be loaded (${reason.message}). Reload the page.`;
    parentElement.replaceChildren(said);
    return undefined;
  }
}
