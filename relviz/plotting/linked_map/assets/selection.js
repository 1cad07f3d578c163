// Which rows are selected, and how that is told to Python: a bit a row, or row numbers if that is shorter.

const CHUNK = 8192;

export class Selection {
  /** @param {number} n */
  constructor(n) {
    this.marks = new Uint8Array(n);
    this.count = 0;
    this.clicked = -1;
  }

  /**
   * Begin a gesture: what was selected goes, unless the gesture adds to it.
   * @param {boolean} adds
   */
  begin(adds) {
    if (!adds) this.marks.fill(0);
    this.clicked = -1;
  }

  /**
   * Select some rows; one that was clicked while adding goes again if it was selected.
   * @param {Iterable<number>} rows
   * @param {boolean} adds
   * @param {number} [clicked]
   */
  choose(rows, adds, clicked = -1) {
    this.begin(adds);
    for (const row of rows) this.marks[row] = adds && clicked >= 0 ? 1 - this.marks[row] : 1;
    this.clicked = clicked;
    this.end();
  }

  end() {
    this.count = 0;
    for (let row = 0; row < this.marks.length; row++) this.count += this.marks[row];
  }

  rows() {
    const rows = new Uint32Array(this.count);
    for (let row = 0, i = 0; row < this.marks.length; row++) if (this.marks[row]) rows[i++] = row;
    return rows;
  }

  packed() {
    const kind = this.count * 32 < this.marks.length ? "rows" : "bits";
    const bytes = kind === "rows" ? new Uint8Array(this.rows().buffer) : this.bits();
    let text = "";
    for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
    return { n: this.marks.length, clicked: this.clicked, kind, data: btoa(text) };
  }

  bits() {
    const bytes = new Uint8Array(Math.ceil(this.marks.length / 8));
    for (let row = 0; row < this.marks.length; row++) if (this.marks[row]) bytes[row >> 3] |= 1 << (row & 7);
    return bytes;
  }
}
