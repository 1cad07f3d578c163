// What Streamlit sends with every update: it fetches the map itself, once.

const WAITS_MS = [250, 500, 1000, 2000, 4000];
const PATIENCE_MS = 8000;
const maps = new Map();

/** What shows the map; a failed import is remembered by the browser, so each try has a name of its own. */
async function load(folder) {
  for (let tries = 0; ; tries++) {
    try {
      return await Promise.race([fetched(folder, tries ? `?try=${tries}` : ""), late()]);
    } catch (reason) {
      if (tries === WAITS_MS.length) throw reason;
      await new Promise((resolve) => {
        setTimeout(resolve, WAITS_MS[tries]);
      });
    }
  }
}

async function fetched(folder, suffix) {
  const at = (name) => new URL(`${folder}/${name}${suffix}`, window.location.origin).href;
  const [{ mount }, page, style] = await Promise.all([
    import(at("linked_map.js")),
    text(at("linked_map.html")),
    text(at("linked_map.css")),
  ]);
  const template = `<style>${style}</style>${page}`;
  return (component) => mount(component, template);
}

async function text(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.text();
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
  const { assets } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  if (!maps.has(assets)) maps.set(assets, load(assets));
  try {
    return (await maps.get(assets))(component);
  } catch (reason) {
    maps.delete(assets);
    const said = document.createElement("p");
    said.textContent = `The map could not be loaded (${reason.message}). Reload the page.`;
    parentElement.replaceChildren(said);
    return undefined;
  }
}
