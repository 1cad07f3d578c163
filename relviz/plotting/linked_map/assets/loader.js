// What Streamlit sends with every update: it fetches the component itself, once.

/** @typedef {{ data: any, parentElement: HTMLElement | ShadowRoot }} Given by Streamlit; what is in it, the mounted module knows */
/** @typedef {(component: Given) => (() => void) | undefined} Show */

const WAITS_MS = [250, 500, 1000, 2000, 4000];
const PATIENCE_MS = 8000;
/** @type {Map<string, Promise<Show>>} */
const loaded = new Map();

/**
 * What shows the component; a failed import is remembered by the browser, so each try has a name of its own.
 * @param {string} folder
 * @param {string} name
 */
async function load(folder, name) {
  for (let tries = 0; ; tries++) {
    try {
      return await Promise.race([fetched(folder, name, tries ? `?try=${tries}` : ""), late()]);
    } catch (reason) {
      if (tries === WAITS_MS.length) throw reason;
      await new Promise((resolve) => {
        setTimeout(resolve, WAITS_MS[tries]);
      });
    }
  }
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} suffix
 * @returns {Promise<Show>}
 */
async function fetched(folder, name, suffix) {
  /** @param {string} file */
  const at = (file) => new URL(`${folder}/${file}${suffix}`, window.location.origin).href;
  const [{ mount }, page, style] = await Promise.all([
    import(at(`${name}.js`)),
    text(at(`${name}.html`)),
    text(at(`${name}.css`)),
  ]);
  const template = `<style>${style}</style>${page}`;
  return (/** @type {Given} */ component) => mount(component, template);
}

/** @param {string} url */
async function text(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.text();
}

/**
 * Fails after a while: a request that nobody answers must not hold it up for good.
 * @returns {Promise<never>}
 */
function late() {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("the server did not answer")), PATIENCE_MS);
  });
}

/**
 * Where the files lie: said in a message of its own kind, or at the head of the map's bytes.
 * @param {Uint8Array | { assets: string, component?: string }} data
 * @returns {{ assets: string, component?: string }}
 */
function about(data) {
  if (!(data instanceof Uint8Array)) return data;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
}

/** @param {Given} component */
export default async function (component) {
  const { data, parentElement } = component;
  const { assets, component: name = "linked_map" } = about(data);
  const loading = loaded.get(assets) ?? load(assets, name);
  loaded.set(assets, loading);
  try {
    return (await loading)(component);
  } catch (reason) {
    loaded.delete(assets);
    const said = document.createElement("p");
    /** @type {Record<string, string>} */
    const whats = { linked_map: "map", home: "picture" };
    said.textContent = `The ${whats[name] ?? "story"} could not be loaded (${/** @type {Error} */ (reason).message}). Reload the page.`;
    parentElement.replaceChildren(said);
    return undefined;
  }
}
