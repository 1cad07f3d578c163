// Texts and pictures of rows. Texts lie in one file at the server, in blocks of rows; a block is fetched
// when one of its rows is pointed at, all of it when somebody searches.

/** @import { Payload, Sprite } from "./payload.js" */

/** @typedef {{ item: string, label: string }} Text */
/** @typedef {Text[] | { failedAt?: number }} Block texts, or that they were sent for, or did not come */

const ROW_END = "\u001e";
const FIELD_END = "\u001f";
const RETRY_MS = 5000;

export class Texts {
  /** @type {string | undefined} */ url;
  rowsOfBlock = 1;
  /** @type {Uint32Array} where blocks start */ starts = new Uint32Array();
  /** @type {Uint8Array | undefined} */ whole;
  /** @type {string | undefined} */ spriteUrl;
  /** @type {HTMLImageElement | undefined} */ sprite;
  /** @type {Sprite | null} */ spriteAbout;
  /** @type {Promise<void> | undefined} */ coming;
  cameNotAt = -Infinity;

  /** @param {() => void} onLoaded */
  constructor(onLoaded) {
    this.onLoaded = onLoaded;
    /** @type {Map<number, Block>} */
    this.blocks = new Map();
  }

  /**
   * Take what a payload says; what was fetched is kept while it is the same file.
   * @param {Payload} payload
   */
  take(payload) {
    if (payload.texts && payload.textStarts) {
      this.rowsOfBlock = payload.texts.block;
      this.starts = payload.textStarts;
    }
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
    if (url === undefined) return;
    const image = new Image();
    image.onload = () => {
      if (url !== this.spriteUrl) return;
      this.sprite = image;
      this.onLoaded();
    };
    image.onerror = () => setTimeout(() => url === this.spriteUrl && this.fetchSprite(tries + 1), RETRY_MS);
    image.src = absolute(url) + (tries ? `?try=${tries}` : "");
  }

  /**
   * Item and class of a row if they are here; otherwise undefined, and they are sent for.
   * @param {number} row
   * @returns {Text | undefined}
   */
  get(row) {
    if (!this.url) return undefined;
    const block = Math.floor(row / this.rowsOfBlock);
    const found = this.blocks.get(block);
    if (Array.isArray(found)) return found[row % this.rowsOfBlock];
    if (this.whole) {
      const texts = split(this.textOf(this.whole, block));
      this.blocks.set(block, texts);
      return texts[row % this.rowsOfBlock];
    }
    if (!found || performance.now() - (found.failedAt ?? Infinity) > RETRY_MS) this.fetchBlock(this.url, block);
    return undefined;
  }

  /**
   * Whether the text of a row was sent for and did not come. It is sent for again when asked for later.
   * @param {number} row
   */
  failed(row) {
    const found = this.blocks.get(Math.floor(row / this.rowsOfBlock));
    return found !== undefined && !Array.isArray(found) && found.failedAt !== undefined;
  }

  /**
   * @param {string} url
   * @param {number} block
   */
  async fetchBlock(url, block) {
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

  /** Fetch the texts of all rows, unless they are here; undefined if they do not come. */
  async load() {
    if (this.whole) return this.whole;
    const { url } = this;
    if (!url) return undefined;
    try {
      const answer = await fetch(absolute(url));
      if (!answer.ok) return undefined;
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (url !== this.url) return undefined;
      this.whole = bytes;
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** Whether the texts of all rows are here; if not, they are sent for. */
  atHand() {
    if (this.whole) return true;
    if (this.url && !this.coming && performance.now() - this.cameNotAt >= RETRY_MS) {
      this.coming = this.load().then((here) => {
        this.coming = undefined;
        if (!here) this.cameNotAt = performance.now();
        this.onLoaded();
      });
    }
    return false;
  }

  /**
   * Rows whose item contains a text, whatever its case; null if the texts cannot be had.
   * @param {string} wanted
   */
  async search(wanted) {
    if (!this.url) return [];
    const whole = await this.load();
    if (!whole) return null;
    const needle = wanted.toLocaleLowerCase();
    /** @type {number[]} */
    const rows = [];
    for (let block = 0; block + 1 < this.starts.length; block++) {
      const text = this.textOf(whole, block);
      if (!text.toLocaleLowerCase().includes(needle)) continue; // most have none: they are not cut into rows
      split(text).forEach(({ item }, i) => {
        if (item.toLocaleLowerCase().includes(needle)) rows.push(block * this.rowsOfBlock + i);
      });
    }
    return rows;
  }

  /**
   * @param {Uint8Array} whole
   * @param {number} block
   */
  textOf(whole, block) {
    return decoded(whole.subarray(this.starts[block], this.starts[block + 1]));
  }

  /**
   * Draw the picture of a row in a square; false if there is none.
   * @param {CanvasRenderingContext2D} context
   * @param {number} row
   * @param {number} x
   * @param {number} y
   * @param {number} side
   */
  drawPicture(context, row, x, y, side) {
    if (!this.sprite || !this.spriteAbout) return false;
    const { cell, columns } = this.spriteAbout;
    const [left, top] = [(row % columns) * cell, Math.floor(row / columns) * cell];
    context.drawImage(this.sprite, left, top, cell, cell, x, y, side, side);
    return true;
  }
}

/**
 * Bytes at hand have an address of their own; a file on a disk has no server to ask.
 * @param {string} url
 */
function absolute(url) {
  return url.startsWith("blob:") ? url : new URL(url, window.location.origin).href;
}

const decoder = new TextDecoder();

/** @param {Uint8Array} bytes */
function decoded(bytes) {
  return decoder.decode(bytes);
}

/**
 * @param {string} text
 * @returns {Text[]}
 */
function split(text) {
  return text.split(ROW_END).map((record) => {
    const [item, label] = record.split(FIELD_END);
    return { item, label };
  });
}
