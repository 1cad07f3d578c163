// What Streamlit sends with every update: it fetches the map itself, once.

export default async function (component) {
  const { data } = component;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  const { code } = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
  const { mount } = await import(new URL(code, window.location.origin).href);
  return mount(component);
}
