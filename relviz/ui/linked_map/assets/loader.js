// What Streamlit sends with every update: it fetches the map itself, once.

export default async function (component) {
  const { data, parentElement } = component;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  const { code } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  let map;
  try {
    map = await import(new URL(code, window.location.origin).href);
  } catch (reason) {
    const said = document.createElement("p");
    said.textContent = `The map could not be loaded (${reason.message}). Reload the page.`;
    parentElement.replaceChildren(said);
    return undefined;
  }
  return map.mount(component);
}
