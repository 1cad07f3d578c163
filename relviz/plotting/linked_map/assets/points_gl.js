// Points by WebGL 2: one context for all panes, one buffer of positions a pane, and one buffer of looks
// that the panes share. Moving from old places to new happens in the vertex shader.

/** @import { Looks } from "./coloring.js" */
/** @import { Brush, DrawnPane } from "./picture.js" */

const EMULATORS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

const VERTEX = `#version 300 es
in vec2 from, to;
in vec4 color;
in float shape;
uniform vec4 fromFrame, toFrame;
uniform vec3 view;
uniform vec2 halfSides;
uniform float moved, size, strength, raisedSize, raisedStrength, starSize;
out vec4 paint;
out float star, span;
void main() {
  vec2 place = mix(from * fromFrame.xy + fromFrame.zw, to * toFrame.xy + toFrame.zw, moved);
  gl_Position = vec4((place - view.xy) * view.z / halfSides, 0.0, 1.0);
  bool starred = shape > 0.5 && shape < 2.5;
  bool raised = shape > 2.5;
  span = (starred ? starSize : raised ? raisedSize : size) + 2.0;
  gl_PointSize = span;
  paint = vec4(color.rgb, color.a * (starred ? 1.0 : raised ? raisedStrength : strength));
  star = starred ? shape : 0.0;
}`;

// A star is folded onto a tenth of itself, where its edge is one straight line.
const FRAGMENT = `#version 300 es
precision highp float;
in vec4 paint;
in float star, span;
uniform vec3 ink, paper;
out vec4 pixel;
const float FIFTH = 1.2566370614;
float starEdge(vec2 at, float radius) {
  float angle = abs(mod(atan(at.x, at.y) + 0.5 * FIFTH, FIFTH) - 0.5 * FIFTH);
  vec2 folded = length(at) * vec2(cos(angle), sin(angle));
  vec2 inner = 0.42 * radius * vec2(cos(0.5 * FIFTH), sin(0.5 * FIFTH));
  vec2 along = normalize(inner - vec2(radius, 0.0));
  return dot(folded - vec2(radius, 0.0), vec2(along.y, -along.x));
}
void main() {
  vec2 at = (gl_PointCoord - 0.5) * span;
  at.y = -at.y;
  float radius = 0.5 * span - 1.0;
  vec3 color = paint.rgb;
  float outside = length(at) - radius;
  if (star > 0.5) {
    outside = starEdge(at, radius);
    float wide = (star > 1.5 ? 1.8 : 1.2) * min(1.0, (span - 2.0) / 13.0);
    float rim = smoothstep(-0.5, 0.5, outside + wide);
    color = star > 1.5 ? mix(paper, ink, rim) : mix(ink, paper, rim);
  }
  float cover = paint.a * (1.0 - smoothstep(-0.5, 0.5, outside));
  if (cover <= 0.0) discard;
  pixel = vec4(color * cover, cover);
}`;

/** @param {WebGL2RenderingContext} gl */
function isEmulated(gl) {
  const about = gl.getExtension("WEBGL_debug_renderer_info");
  return about !== null && EMULATORS.test(gl.getParameter(about.UNMASKED_RENDERER_WEBGL));
}

export class GLPoints {
  /** @type {WebGLProgram} */ program;
  /** @type {Record<string, WebGLUniformLocation | null>} */ uniforms;
  /** @type {Record<string, number>} */ places;
  /** @type {WebGLBuffer} */ colors;
  /** @type {WebGLBuffer} */ shapes;
  /** @type {WebGLBuffer} */ order;
  /** @type {WebGLBuffer} */ sorted;
  /** @type {Map<string, WebGLBuffer>} of positions, by their digests */ positions = new Map();
  drawn = 0;

  /**
   * Undefined where WebGL 2 cannot be had, or is emulated without a graphics card.
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} onRestored
   */
  static on(canvas, onRestored) {
    const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
    if (!gl || !isEmulated(gl)) return gl ? new GLPoints(gl, canvas, onRestored) : undefined;
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return undefined;
  }

  /**
   * @param {WebGL2RenderingContext} gl
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} onRestored
   */
  constructor(gl, canvas, onRestored) {
    this.gl = gl;
    this.canvas = canvas;
    this.kind = "webgl";
    this.lost = false;
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      this.prepare();
      onRestored();
    });
    this.prepare();
  }

  prepare() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const { kind, source } of [{ kind: gl.VERTEX_SHADER, source: VERTEX }, { kind: gl.FRAGMENT_SHADER, source: FRAGMENT }]) {
      const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getProgramInfoLog(program) || "The shaders do not link.");
    }
    this.program = program;
    this.uniforms = Object.fromEntries(
      ["fromFrame", "toFrame", "view", "halfSides", "moved", "size", "strength", "raisedSize", "raisedStrength", "starSize", "ink", "paper"]
        .map((name) => [name, gl.getUniformLocation(program, name)]),
    );
    this.places = Object.fromEntries(
      ["from", "to", "color", "shape"].map((name) => [name, gl.getAttribLocation(program, name)]),
    );
    this.positions.clear();
    [this.colors, this.shapes, this.order, this.sorted] = [0, 1, 2, 3].map(() => gl.createBuffer());
    this.drawn = 0;
  }

  /**
   * Keep the positions of a pane on the card, under a name that stands for their content.
   * @param {Map<string, Uint16Array>} wanted
   */
  keep(wanted) {
    const { gl } = this;
    for (const [digest, buffer] of this.positions) {
      if (!wanted.has(digest)) {
        gl.deleteBuffer(buffer);
        this.positions.delete(digest);
      }
    }
    for (const [digest, positions] of wanted) {
      if (this.positions.has(digest)) continue;
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, positions, gl.STATIC_DRAW);
      this.positions.set(digest, buffer);
    }
  }

  /** @param {Looks} looks */
  setLooks({ rgba, shape, order }) {
    const { gl } = this;
    for (const { buffer, content } of [{ buffer: this.colors, content: rgba }, { buffer: this.shapes, content: shape }]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, content, gl.DYNAMIC_DRAW);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.order);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.DYNAMIC_DRAW);
    this.drawn = order.length;
  }

  /**
   * Draw every pane: its plot, view, dots, frames and buffers of old and new places, and how far it moved.
   * @param {DrawnPane[]} panes
   * @param {Brush} brush
   */
  draw(panes, { ratio, ink, paper, starSize }) {
    const { gl, uniforms, places } = this;
    if (this.lost || gl.isContextLost()) return;
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(this.program);
    gl.uniform3fv(uniforms.ink, ink);
    gl.uniform3fv(uniforms.paper, paper);
    gl.uniform1f(uniforms.starSize, starSize * ratio);
    this.point(places.color, this.colors, 4, gl.UNSIGNED_BYTE, true);
    this.point(places.shape, this.shapes, 1, gl.UNSIGNED_BYTE, false);
    for (const { plot, view, dot, raised, from, to, moved, order } of panes) {
      const side = Math.min(plot.width, plot.height);
      const [x, y, width, height] = [
        plot.left, this.canvas.height / ratio - plot.top - plot.height, plot.width, plot.height,
      ].map((length) => Math.round(length * ratio));
      gl.viewport(x, y, width, height);
      gl.scissor(x, y, width, height);
      gl.uniform4f(uniforms.fromFrame, from.frame.sx, from.frame.sy, from.frame.ox, from.frame.oy);
      gl.uniform4f(uniforms.toFrame, to.frame.sx, to.frame.sy, to.frame.ox, to.frame.oy);
      gl.uniform3f(uniforms.view, view.x, view.y, view.zoom);
      gl.uniform2f(uniforms.halfSides, plot.width / side / 2, plot.height / side / 2);
      gl.uniform1f(uniforms.moved, moved);
      gl.uniform1f(uniforms.size, dot.size * ratio);
      gl.uniform1f(uniforms.strength, dot.strength);
      gl.uniform1f(uniforms.raisedSize, raised.size * ratio);
      gl.uniform1f(uniforms.raisedStrength, raised.strength);
      this.point(places.from, this.positions.get(from.digest), 2, gl.UNSIGNED_SHORT, true);
      this.point(places.to, this.positions.get(to.digest), 2, gl.UNSIGNED_SHORT, true);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, order ? this.sorted : this.order);
      if (order) gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.STREAM_DRAW);
      gl.drawElements(gl.POINTS, this.drawn, gl.UNSIGNED_INT, 0);
    }
  }

  /**
   * @param {number} place
   * @param {WebGLBuffer | undefined} buffer
   * @param {number} size
   * @param {number} type
   * @param {boolean} normalized
   */
  point(place, buffer, size, type, normalized) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer ?? null);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, type, normalized, 0, 0);
  }

  release() {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
