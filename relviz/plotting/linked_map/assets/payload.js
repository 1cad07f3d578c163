// The bytes that Python sends: a length, a JSON header, then arrays that the header points into.

/** @import { Box } from "./geometry.js" */
/** @import { Side } from "./orbit.js" */

/** @typedef {[start: number, length: number]} Place of an array in the bytes */
/** @typedef {{ number: number, identity: string, rows: number[] }} Marked rows that Python selects, once for each number */
/** @typedef {{ url: string, cell: number, columns: number }} Sprite a picture of each row, side by side */
/** @typedef {{ url: string, block: number }} TextFile */
/** @typedef {{ matrix: number[], home: Box, words: string }} Turn */

/**
 * What Python says of a pane.
 * @typedef {object} PaneHeader
 * @property {string} title
 * @property {string} caption
 * @property {string} message shown where there are no points
 * @property {string} digest of the positions and the frame
 * @property {number | null} group panes that are fitted together
 * @property {number | null} joined the pane that ways lead from
 * @property {Box} box
 * @property {Box} home
 * @property {Box | null} own_home
 * @property {Turn | null} turn
 */

/** @typedef {PaneHeader & { positions: Uint16Array | null, space: null }} FlatPane */
/** @typedef {PaneHeader & { positions: Uint16Array | null, space: Uint16Array, reach: number, half: number }} DeepPane */
/** @typedef {(FlatPane | DeepPane) & { centered?: boolean, turned?: boolean, side?: Side, depths?: Uint16Array }} Pane with its arrays, and how it was arranged */

/** @typedef {{ title: string, palette: string[], missing: string, alpha: number, note: string }} Legend */
/** @typedef {Legend & { kind: "class", names: string[], counts: number[], shown?: string[] }} ClassColors */
/** @typedef {Legend & { kind: "number" | "none", low: number, high: number, low_text: string, high_text: string }} ScaleColors */
/** @typedef {ClassColors | ScaleColors} Colors */

/**
 * What Python says of a map.
 * @typedef {object} Header
 * @property {string} name
 * @property {string} identity of the rows
 * @property {string} digest of all that is shown
 * @property {number} n
 * @property {Colors} colors
 * @property {1 | 2} code_bytes
 * @property {Place} codes
 * @property {Place} flags
 * @property {(PaneHeader & { positions: Place | null, space: Place | null })[]} panes
 * @property {TextFile & { starts: Place } | null} texts
 * @property {Sprite | null} sprite
 * @property {Record<number, number>} stars rows of each flag, also those that are not sent
 * @property {string} star_name
 * @property {boolean} anchors_shown
 * @property {number} height
 * @property {number} below
 * @property {number} move_ms
 * @property {Marked | null} [marked]
 * @property {Record<string, number[]>} [views] places of panes, by the words of a switch
 * @property {string} [opens]
 */

/**
 * A header with its arrays.
 * @typedef {Omit<Header, "codes" | "flags" | "panes" | "texts"> & {
 *   codes: Uint8Array | Uint16Array, flags: Uint8Array, textStarts?: Uint32Array, panes: Pane[], texts: TextFile | null,
 * }} Payload
 */

/**
 * Read one payload; the arrays are views of its bytes, not copies.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Payload}
 */
export function readPayload(bytes) {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset } = aligned;
  const length = new DataView(buffer, byteOffset, 4).getUint32(0, true);
  /** @type {Header} */
  const header = JSON.parse(new TextDecoder().decode(aligned.subarray(4, 4 + length)));
  const start = byteOffset + 4 + length;
  /**
   * @template T
   * @param {new (buffer: ArrayBuffer, start: number, length: number) => T} Type
   * @param {Place} place
   */
  const array = (Type, place) => new Type(buffer, start + place[0], place[1]);
  const panes = header.panes.map((pane) => ({
    ...pane,
    positions: pane.positions && array(Uint16Array, pane.positions),
    space: pane.space && array(Uint16Array, pane.space),
  }));
  return {
    ...header,
    codes: header.code_bytes === 2 ? array(Uint16Array, header.codes) : array(Uint8Array, header.codes),
    flags: array(Uint8Array, header.flags),
    textStarts: header.texts?.starts && array(Uint32Array, header.texts.starts),
    panes: /** @type {Pane[]} */ (panes),
  };
}

/**
 * The payload with these of its panes alone; `name` tells it from others with other panes.
 * @param {Payload} payload
 * @param {number[]} places
 * @param {string} name
 * @returns {Payload}
 */
export function withPanes(payload, places, name) {
  const panes = places.map((place) => {
    const pane = payload.panes[place];
    const joined = pane.joined === null ? -1 : places.indexOf(pane.joined);
    return { ...pane, joined: joined < 0 ? null : joined };
  });
  return { ...payload, panes, digest: `${payload.digest} ${name}` };
}

export const ANCHOR = 1;
export const HOLLOW = 2;
export const LABELED = 4;
export const STARS = ANCHOR | HOLLOW;
