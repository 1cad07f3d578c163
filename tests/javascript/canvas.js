// A canvas that keeps what is put on it, for code that a browser would run.

/** Give the modules what they ask a browser for; gives all canvases that are made. */
export function withCanvases() {
  const made = [];
  globalThis.ImageData = class {
    constructor(width, height) {
      Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
    }
  };
  globalThis.document = {
    createElement() {
      const one = canvas(0, 0);
      made.push(one);
      return one;
    },
  };
  return made;
}

export function canvas(width, height) {
  const one = { width, height, put: [], calls: [] };
  one.context = new Proxy({ canvas: one }, {
    get(held, name) {
      if (name in held) return held[name];
      if (name === "createImageData") return (w, h) => new globalThis.ImageData(w, h);
      if (name === "putImageData") return (image, left, top) => one.put.push({ image, left, top });
      return (...given) => one.calls.push([name, ...given]);
    },
  });
  one.getContext = () => one.context;
  return one;
}
