// Modules from their sources, where no server gives them: each gets an address of its own, and what it
// imports by name it imports by that.

const IMPORTED = /(\bfrom ")\.\/([\w]+\.js)(";)/g;

/**
 * The addresses of modules, made when they are asked for.
 * @param {Record<string, string>} sources by their names
 * @param {(code: string, name: string) => string} addressOf where a module can be imported from
 */
export function linked(sources, addressOf = blobOf) {
  /** @type {Map<string, string>} */
  const known = new Map();
  /** @type {(name: string) => string} */
  return function address(name) {
    const made = known.get(name);
    if (made !== undefined) return made;
    const code = sources[name].replace(IMPORTED, (_, before, other, after) => before + address(other) + after);
    const found = addressOf(code, name);
    known.set(name, found);
    return found;
  };
}

/**
 * @param {string} code
 * @param {string} name
 */
function blobOf(code, name) {
  return URL.createObjectURL(new Blob([code, `\n//# sourceURL=relviz/${name}\n`], { type: "text/javascript" }));
}

/**
 * Deflated bytes in base64.
 * @param {string} text
 */
export async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
