// A canvas that fills its box at the screen's own resolution, and is drawn anew when the box changes.

import { contextOf } from "./dom.js";

/** @typedef {(context: CanvasRenderingContext2D, width: number, height: number) => void} Draw */
/** @typedef {ReturnType<typeof palette>} Palette */

/** A canvas with `size()` in CSS pixels; `draw(context, width, height)` is called after each change. */
export class Stage {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Draw} draw
   */
  constructor(canvas, draw) {
    this.canvas = canvas;
    this.draw = draw;
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(canvas);
    this.scheme = window.matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => setTimeout(() => this.paint(), 50);
    this.scheme.addEventListener("change", this.repaint);
  }

  paint() {
    const { canvas } = this;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    const context = contextOf(canvas);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.draw(context, width, height);
  }

  release() {
    this.observer.disconnect();
    this.scheme.removeEventListener("change", this.repaint);
  }
}

/**
 * The font of words on a canvas: as large as the page's captions, so larger in the presenter view.
 * @param {Element} element
 */
export function captionFont(element) {
  const style = getComputedStyle(element);
  return `${getComputedStyle(element.closest("figure") ?? element).getPropertyValue("font-size")} ${style.fontFamily}`;
}

/**
 * The page's colors where an element stands.
 * @param {Element} element
 */
export function palette(element) {
  const style = getComputedStyle(element);
  /** @type {(name: string, otherwise: string) => string} */
  const color = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  return {
    ink: color("--st-text-color", "#1f2430"),
    paper: color("--st-background-color", "#ffffff"),
    line: color("--line", "#d5d9df"),
    quiet: color("--quiet", "#5b6270"),
    a: color("--side-a", "#8C8C8C"),
    b: color("--st-primary-color", "#0072B2"),
    anchor: "#E69F00",
    good: color("--good", "#009E73"),
    bad: color("--bad", "#D55E00"),
    classes: color("--st-chart-categorical-colors", "#4171B6,#FB9E2D,#00A661,#D28ABE,#D7551C,#6DD2FF,#FBDF00,#5D5D5D").split(","),
  };
}
