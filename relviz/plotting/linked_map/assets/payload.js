// The bytes that Python sends: a length, a JSON header, then arrays that the header points into.

/** Read one payload; the arrays are views of its bytes, not copies. */
export function readPayload(bytes) {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset } = aligned;
  const length = new DataView(buffer, byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(aligned.subarray(4, 4 + length)));
  const start = byteOffset + 4 + length;
  const array = (Type, place) => place && new Type(buffer, start + place[0], place[1]);
  return {
    ...header,
    codes: array(header.code_bytes === 2 ? Uint16Array : Uint8Array, header.codes),
    flags: array(Uint8Array, header.flags),
    textStarts: array(Uint32Array, header.texts?.starts),
    panes: header.panes.map((pane) => ({
      ...pane,
      positions: array(Uint16Array, pane.positions),
      space: array(Uint16Array, pane.space),
    })),
  };
}

/** The payload with these of its panes alone; `name` tells it from others with other panes. */
export function withPanes(payload, places, name) {
  const panes = places.map((place) => {
    const pane = payload.panes[place];
    const joined = places.indexOf(pane.joined);
    return { ...pane, joined: joined < 0 ? null : joined };
  });
  return { ...payload, panes, digest: `${payload.digest} ${name}` };
}

export const ANCHOR = 1;
export const HOLLOW = 2;
export const LABELED = 4;
export const STARS = ANCHOR | HOLLOW;
