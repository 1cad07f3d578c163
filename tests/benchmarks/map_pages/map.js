// relviz' map, as a notebook or a file has it.

import { Standalone } from "/assets/standalone.js";

const template = await (await fetch("/template.html")).text();
const map = new Standalone(document.getElementById("map"), template);

window.draw = async (n) => {
  const message = new Uint8Array(await (await fetch(`/message-${n}.bin`)).arrayBuffer());
  map.take({ message, texts: new Uint8Array(), sprite: new Uint8Array() });
};
window.ready = true;
