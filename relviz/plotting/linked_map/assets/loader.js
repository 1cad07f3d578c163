// What Streamlit sends with every update: it fetches the component itself, once.

const WAITS_MS = [250, 500, 1000, 2000, 4000];
const PATIENCE_MS = 8000;
const loaded = new Map();

/** What shows the component; a failed import is remembered by the browser, so each try has a name of its own. */
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

async function fetched(folder, name, suffix) {
  const at = (file) => new URL(`${folder}/${file}${suffix}`, window.location.origin).href;
  const [{ mount }, page, style] = await Promise.all([
    import(at(`${name}.js`)),
    text(at(`${name}.html`)),
    text(at(`${name}.css`)),
  ]);
  const template = `<style>${style}</style>${page}`;
  return (component) => mount(component, template);
}

async function text(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.text();
}

/** Fails after a while: a request that nobody answers must not hold it up for good. */
function late() {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("the server did not answer")), PATIENCE_MS);
  });
}

/** Where the files lie: said in a message of its own kind, or at the head of the map's bytes. */
function about(data) {
  if (!(data instanceof Uint8Array)) return data;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
}

export default async function (component) {
  const { data, parentElement } = component;
  const { assets, component: name = "linked_map" } = about(data);
  if (!loaded.has(assets)) loaded.set(assets, load(assets, name));
  try {
    return (await loaded.get(assets))(component);
  } catch (reason) {
    loaded.delete(assets);
    const said = document.createElement("p");
    const whats = { linked_map: "map", home: "picture" };
    said.textContent = `The ${whats[name] ?? "story"} could not be loaded (${reason.message}). Reload the page.`;
    parentElement.replaceChildren(said);
    return undefined;
  }
}
