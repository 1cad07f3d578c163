// Texts and pictures of rows. Texts lie in one file at the server, in blocks of rows; a block is fetched
// when one of its rows is pointed at, all of it when somebody searches.

const ROW_END = "\u001e";
const FIELD_END = "\u001f";
const RETRY_MS = 5000;

export class Texts {
  constructor(onLoaded) {
    this.onLoaded = onLoaded;
    this.url = undefined;
    this.blocks = new Map();
  }

  /** Take what a payload says; what was fetched is kept while it is the same file. */
  take(payload) {
    this.about = payload.texts;
    this.starts = payload.textStarts;
    if (this.url !== payload.texts?.url) {
      this.url = payload.texts?.url;
      this.whole = undefined;
      this.blocks.clear();
    }
    if (this.spriteUrl !== payload.sprite?.url) {
      this.spriteUrl = payload.sprite?.url;
      this.sprite = undefined;
      if (this.spriteUrl) this.fetchSprite();
    }
    this.spriteAbout = payload.sprite;
  }

  /** Fetch the pictures of all rows; where they do not come, again after a while. */
  fetchSprite(tries = 0) {
    const url = this.spriteUrl;
    const image = new Image();
    image.onload = () => {
      if (url !== this.spriteUrl) return;
      this.sprite = image;
      this.onLoaded();
    };
    image.onerror = () => setTimeout(() => url === this.spriteUrl && this.fetchSprite(tries + 1), RETRY_MS);
    image.src = absolute(url) + (tries ? `?try=${tries}` : "");
  }

  /** Item and class of a row if they are here; otherwise undefined, and they are sent for. */
  get(row) {
    if (!this.url) return undefined;
    const block = Math.floor(row / this.about.block);
    const found = this.blocks.get(block);
    if (Array.isArray(found)) return found[row % this.about.block];
    if (this.whole) {
      this.blocks.set(block, split(this.textOf(block)));
      return this.get(row);
    }
    if (!found || performance.now() - found.failedAt > RETRY_MS) this.fetchBlock(block);
    return undefined;
  }

  /** Whether the text of a row was sent for and did not come. It is sent for again when asked for later. */
  failed(row) {
    return this.blocks.get(Math.floor(row / this.about?.block))?.failedAt !== undefined;
  }

  async fetchBlock(block) {
    const { url } = this;
    const [start, end] = [this.starts[block], this.starts[block + 1]];
    this.blocks.set(block, {});
    try {
      const answer = await fetch(absolute(url), { headers: { Range: `bytes=${start}-${end - 1}` } });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (url !== this.url) return;
      this.blocks.set(block, split(decoded(answer.status === 206 ? bytes : bytes.subarray(start, end))));
    } catch {
      const there = url !== this.url || Array.isArray(this.blocks.get(block));
      if (!there) this.blocks.set(block, { failedAt: performance.now() });
    }
    this.onLoaded();
  }

  /** Fetch the texts of all rows, unless they are here; whether they are then. */
  async load() {
    const { url } = this;
    if (this.whole) return true;
    try {
      const answer = await fetch(absolute(url));
      if (!answer.ok) return false;
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (url !== this.url) return false;
      this.whole = bytes;
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the texts of all rows are here; if not, they are sent for. */
  atHand() {
    if (this.whole) return true;
    if (this.url && !this.coming && !(performance.now() - this.cameNotAt < RETRY_MS)) {
      this.coming = this.load().then((here) => {
        this.coming = undefined;
        if (!here) this.cameNotAt = performance.now();
        this.onLoaded();
      });
    }
    return false;
  }

  /** Rows whose item contains a text, whatever its case; null if the texts cannot be had. */
  async search(wanted) {
    if (!this.url) return [];
    if (!(await this.load())) return null;
    const needle = wanted.toLocaleLowerCase();
    const rows = [];
    for (let block = 0; block + 1 < this.starts.length; block++) {
      const text = this.textOf(block);
      if (!text.toLocaleLowerCase().includes(needle)) continue; // most have none: they are not cut into rows
      split(text).forEach(({ item }, i) => {
        if (item.toLocaleLowerCase().includes(needle)) rows.push(block * this.about.block + i);
      });
    }
    return rows;
  }

  textOf(block) {
    return decoded(this.whole.subarray(this.starts[block], this.starts[block + 1]));
  }

  /** Draw the picture of a row in a square; false if there is none. */
  drawPicture(context, row, x, y, side) {
    if (!this.sprite) return false;
    const { cell, columns } = this.spriteAbout;
    const [left, top] = [(row % columns) * cell, Math.floor(row / columns) * cell];
    context.drawImage(this.sprite, left, top, cell, cell, x, y, side, side);
    return true;
  }
}

/** Bytes at hand have an address of their own; a file on a disk has no server to ask. */
function absolute(url) {
  return url.startsWith("blob:") ? url : new URL(url, window.location.origin).href;
}

const decoder = new TextDecoder();

function decoded(bytes) {
  return decoder.decode(bytes);
}

function split(text) {
  return text.split(ROW_END).map((record) => {
    const [item, label] = record.split(FIELD_END);
    return { item, label };
  });
}
