// The same points by plain arithmetic on pixels, for browsers without a graphics card: an emulated WebGL
// takes several times as long. Panes in which nothing changed are not drawn again. Dots no larger than a pixel are
// counted, and a pixel shows what so many of them over each other would.

import { DOT, HOLLOW_STAR, RAISED, STAR } from "./coloring.js";
import { STEPS } from "./geometry.js";
import { discs, PHASES, stars } from "./stamps.js";
/** @import { Looks } from "./coloring.js" */
/** @import { Dot } from "./geometry.js" */
/** @import { Brush, DrawnPane } from "./picture.js" */
/** @import { Stamps } from "./stamps.js" */

/** @typedef {{ outer: { stamp: Stamps, color?: number }, inner?: { stamp: Stamps, color: number } }} Layers of a shape */
/** @typedef {{ old: Uint16Array, now: Uint16Array, oldX: number, oldY: number, nowX: number, nowY: number, startX: number, startY: number }} Steps */

const WHOLE_RIM = 13; // pixels of a star with the whole rim; smaller ones would be nothing else
const GRAIN = 1.2; // pixels of a dot that is counted
const MOST_COUNTED = 4096;
/** @type {Record<number, number>} */
const RIM = { [STAR]: 1.2, [HOLLOW_STAR]: 1.8 };

export class RasterPoints {
  /** @type {Looks} */ looks;
  /** @type {string | undefined} */ layout;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.kind = "raster";
    /** @type {Map<string, Uint16Array>} */
    this.positions = new Map();
    this.drawn = 0;
    /** @type {Map<number, string>} */
    this.shown = new Map();
  }

  /** @param {Map<string, Uint16Array>} wanted */
  keep(wanted) {
    this.positions = new Map(wanted);
  }

  /** @param {Looks} looks */
  setLooks(looks) {
    this.looks = looks;
    this.drawn = looks.order.length;
    this.shown.clear();
  }

  /**
   * @param {DrawnPane[]} panes
   * @param {Brush} brush
   */
  draw(panes, { ratio, ink, paper, starSize }) {
    const { canvas, shown } = this;
    const layout = JSON.stringify([panes.map((pane) => pane.plot), canvas.width, canvas.height, ink, paper]);
    if (layout !== this.layout) {
      this.context.clearRect(0, 0, canvas.width, canvas.height);
      this.layout = layout;
      shown.clear();
    }
    panes.forEach((pane, place) => {
      const said = JSON.stringify([pane.view, pane.dot, pane.raised, pane.from, pane.to, pane.moved]);
      if (shown.get(place) === said) return;
      shown.set(place, said);
      this.drawPane(pane, ratio, this.stampsOf(pane, ratio, starSize * ratio, ink, paper));
    });
  }

  /**
   * What each shape is made of: stamps and their color, or without one, that of the row.
   * @param {DrawnPane} pane
   * @param {number} ratio
   * @param {number} starSize
   * @param {number[]} ink
   * @param {number[]} paper
   * @returns {Record<number, Layers>}
   */
  stampsOf({ dot, raised }, ratio, starSize, ink, paper) {
    const [dark, light] = [ink, paper].map(([red, green, blue]) => packed(byte(red), byte(green), byte(blue)));
    /** @type {(shape: number, rim: number, middle: number) => Layers} */
    const star = (shape, rim, middle) => ({
      outer: { stamp: stars(starSize), color: rim },
      inner: { stamp: stars(starSize, RIM[shape] * Math.min(1, starSize / WHOLE_RIM)), color: middle },
    });
    return {
      [DOT]: { outer: { stamp: discs(dot.size * ratio) } },
      [RAISED]: { outer: { stamp: discs(raised.size * ratio) } },
      [STAR]: star(STAR, light, dark),
      [HOLLOW_STAR]: star(HOLLOW_STAR, dark, light),
    };
  }

  /**
   * @param {DrawnPane} pane
   * @param {number} ratio
   * @param {Record<number, Layers>} layers
   */
  drawPane({ plot, view, dot, raised, from, to, moved, order = this.looks.order }, ratio, layers) {
    const [left, top, width, height] = [plot.left, plot.top, plot.width, plot.height].map((side) => Math.round(side * ratio));
    const image = new ImageData(width, height);
    const pixels = new Int32Array(image.data.buffer);
    const { rgba, shape } = this.looks;
    const [old, now] = [from, to].map(({ digest }) => /** @type {Uint16Array} */ (this.positions.get(digest)));
    const scale = Math.min(plot.width, plot.height) * view.zoom * ratio;
    /** @type {(a: number, b: number) => number} */
    const mix = (a, b) => a + (b - a) * moved;
    const [oldX, oldY] = [from.frame.sx, -from.frame.sy].map((side) => (side * (1 - moved) * scale) / STEPS);
    const [nowX, nowY] = [to.frame.sx, -to.frame.sy].map((side) => (side * moved * scale) / STEPS);
    const startX = width / 2 + (mix(from.frame.ox, to.frame.ox) - view.x) * scale;
    const startY = height / 2 - (mix(from.frame.oy, to.frame.oy) - view.y) * scale;
    const places = { old, now, oldX, oldY, nowX, nowY, startX, startY };
    let counted = 0;
    for (const { end, how } of [{ end: this.looks.plain, how: dot }, { end: this.looks.raised, how: raised }]) {
      if (how.size * ratio > GRAIN) break;
      sprinkle(pixels, width, height, order.subarray(counted, end), places, rgba, how, ratio);
      counted = end;
    }
    /** @type {Record<number, number>} */
    const strengths = { [DOT]: dot.strength, [RAISED]: raised.strength };
    for (let i = counted; i < order.length; i++) {
      const row = order[i];
      const x = old[2 * row] * oldX + now[2 * row] * nowX + startX;
      const y = old[2 * row + 1] * oldY + now[2 * row + 1] * nowY + startY;
      if (x < -64 || y < -64 || x > width + 64 || y > height + 64) continue;
      const alpha = Math.round((strengths[shape[row]] ?? 1) * rgba[4 * row + 3]);
      const own = packed(rgba[4 * row], rgba[4 * row + 1], rgba[4 * row + 2]);
      const { outer, inner } = layers[shape[row]];
      press(pixels, width, height, outer.stamp, x, y, outer.color ?? own, alpha + (alpha >> 7));
      if (inner) press(pixels, width, height, inner.stamp, x, y, inner.color, alpha + (alpha >> 7));
    }
    unmultiply(pixels);
    this.context.putImageData(image, left, top);
  }

  release() {}
}

/**
 * Lay grains, all as strong as the first, over pixels: each gets the mean of its grains' colors over what it has.
 * @param {Int32Array} pixels
 * @param {number} width
 * @param {number} height
 * @param {Uint32Array} order
 * @param {Steps} steps
 * @param {Uint8Array} rgba
 * @param {Dot} dot
 * @param {number} ratio
 */
function sprinkle(pixels, width, height, order, { old, now, oldX, oldY, nowX, nowY, startX, startY }, rgba, { size, strength }, ratio) {
  if (!order.length) return;
  const [counts, reds, greens, blues] = [0, 1, 2, 3].map(() => new Uint32Array(width * height));
  for (let i = 0; i < order.length; i++) {
    const row = order[i];
    const x = old[2 * row] * oldX + now[2 * row] * nowX + startX;
    const y = old[2 * row + 1] * oldY + now[2 * row + 1] * nowY + startY;
    if (!(x >= 0 && y >= 0 && x < width && y < height)) continue;
    const at = (y | 0) * width + (x | 0);
    counts[at] += 1;
    reds[at] += rgba[4 * row];
    greens[at] += rgba[4 * row + 1];
    blues[at] += rgba[4 * row + 2];
  }
  const cover = Math.min(1, (Math.PI / 4) * (size * ratio) ** 2);
  const clear = 1 - (cover * strength * rgba[4 * order[0] + 3]) / 255;
  const shares = Float64Array.from({ length: MOST_COUNTED }, (_, count) => 1 - clear ** count);
  for (let at = 0; at < pixels.length; at++) {
    const count = counts[at];
    if (count === 0) continue;
    const share = shares[Math.min(count, MOST_COUNTED - 1)];
    const [mean, under] = [share / count, pixels[at]];
    /** @type {(sum: number, shift: number) => number} */
    const over = (sum, shift) => Math.round(sum + (1 - share) * ((under >>> shift) & 255)) << shift;
    pixels[at] = over(255 * share, 24) | over(blues[at] * mean, 16) | over(greens[at] * mean, 8) | over(reds[at] * mean, 0);
  }
}

/** @param {number} share */
const byte = (share) => Math.round(255 * share);

/**
 * @param {number} red
 * @param {number} green
 * @param {number} blue
 */
function packed(red, green, blue) {
  return (255 << 24) | (blue << 16) | (green << 8) | red;
}

/**
 * Lay a stamp in a color over pixels whose colors are multiplied with their alpha. Two channels at a time.
 * @param {Int32Array} pixels
 * @param {number} width
 * @param {number} height
 * @param {Stamps} stamp
 * @param {number} x
 * @param {number} y
 * @param {number} color
 * @param {number} alpha
 */
function press(pixels, width, height, stamp, x, y, color, alpha) {
  const { side } = stamp;
  const left = x - side / 2 + 0.5;
  const top = y - side / 2 + 0.5;
  const column = Math.floor(left);
  const line = Math.floor(top);
  const { columns, lines, cover } = stamp.phases[((PHASES * (top - line)) | 0) * PHASES + ((PHASES * (left - column)) | 0)];
  const redBlue = color & 0xff00ff;
  const greenAlpha = (color >>> 8) & 0xff00ff;
  const whole = column >= 0 && line >= 0 && column + side <= width && line + side <= height;
  for (let i = 0; i < cover.length; i++) {
    const u = column + columns[i];
    const v = line + lines[i];
    if (!whole && (u < 0 || v < 0 || u >= width || v >= height)) continue;
    const over = (cover[i] * alpha) >> 8;
    const at = v * width + u;
    const under = pixels[at];
    const rb = (Math.imul(redBlue, over) + Math.imul(under & 0xff00ff, 256 - over)) >>> 8;
    const ga = Math.imul(greenAlpha, over) + Math.imul((under >>> 8) & 0xff00ff, 256 - over);
    pixels[at] = (rb & 0xff00ff) | (ga & 0xff00ff00);
  }
}

/**
 * What a canvas takes: colors not multiplied with their alpha.
 * @param {Int32Array} pixels
 */
function unmultiply(pixels) {
  for (let at = 0; at < pixels.length; at++) {
    const value = pixels[at];
    const alpha = value >>> 24;
    if (alpha === 0 || alpha === 255) continue;
    const scale = 255 / alpha;
    const red = Math.min(255, (value & 255) * scale + 0.5);
    const green = Math.min(255, ((value >>> 8) & 255) * scale + 0.5);
    const blue = Math.min(255, ((value >>> 16) & 255) * scale + 0.5);
    pixels[at] = (alpha << 24) | (blue << 16) | (green << 8) | red;
  }
}
