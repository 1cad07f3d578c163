// The same points on a plain canvas, for browsers without WebGL. Slower, and the same picture.

import { DOT, HOLLOW_STAR, RAISED } from "./colouring.js";

export class CanvasPoints {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.kind = "canvas";
    this.positions = new Map();
    this.drawn = 0;
  }

  keep(wanted) {
    this.positions = new Map(wanted);
  }

  setLooks(looks) {
    this.looks = looks;
    this.drawn = looks.order.length;
  }

  draw(panes, { ratio, ink, paper, sizeOf, starSize }) {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const css = (colour) => `rgb(${colour.map((value) => Math.round(255 * value)).join(" ")})`;
    for (const pane of panes) {
      const { plot } = pane;
      context.save();
      context.beginPath();
      context.rect(plot.left, plot.top, plot.width, plot.height);
      context.clip();
      this.drawPane(pane, sizeOf(pane.view), starSize, css(ink), css(paper));
      context.restore();
    }
  }

  drawPane({ plot, view, from, to, moved }, size, starSize, ink, paper) {
    const { context, looks } = this;
    const { rgba, shape, order } = looks;
    const [old, now] = [this.positions.get(from.digest), this.positions.get(to.digest)];
    const scale = Math.min(plot.width, plot.height) * view.zoom;
    const [middleX, middleY] = [plot.left + plot.width / 2, plot.top + plot.height / 2];
    const mix = (a, b) => a + (b - a) * moved;
    for (const row of order) {
      const ux = mix((old[2 * row] / 65535) * from.frame.sx + from.frame.ox, (now[2 * row] / 65535) * to.frame.sx + to.frame.ox);
      const uy = mix((old[2 * row + 1] / 65535) * from.frame.sy + from.frame.oy, (now[2 * row + 1] / 65535) * to.frame.sy + to.frame.oy);
      const x = middleX + (ux - view.x) * scale;
      const y = middleY - (uy - view.y) * scale;
      context.globalAlpha = rgba[4 * row + 3] / 255;
      context.fillStyle = `rgb(${rgba[4 * row]} ${rgba[4 * row + 1]} ${rgba[4 * row + 2]})`;
      context.beginPath();
      if (shape[row] === DOT || shape[row] === RAISED) {
        context.arc(x, y, shape[row] === RAISED ? 0.7 * size + 0.5 : size / 2, 0, 2 * Math.PI);
        context.fill();
        continue;
      }
      starPath(context, x, y, starSize / 2);
      context.fillStyle = shape[row] === HOLLOW_STAR ? paper : ink;
      context.strokeStyle = shape[row] === HOLLOW_STAR ? ink : paper;
      context.fill();
      context.stroke();
    }
  }

  release() {}
}

export function starPath(context, x, y, radius) {
  for (let corner = 0; corner < 10; corner++) {
    const reach = corner % 2 ? 0.42 * radius : radius;
    const angle = (corner * Math.PI) / 5;
    context.lineTo(x + reach * Math.sin(angle), y - reach * Math.cos(angle));
  }
  context.closePath();
}
