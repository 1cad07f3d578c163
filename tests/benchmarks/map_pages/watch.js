// Runs before a page: counts what is drawn on its canvases, and says when drawing has come to rest.

(() => {
  const QUIET = 6; // frames without a draw call, after which nothing more is expected
  const seen = { draws: 0, drawers: new Set() };

  const watch = (kind, ...names) => {
    for (const name of names) {
      const plain = kind?.prototype[name];
      if (!plain) continue;
      kind.prototype[name] = function watched(...given) {
        seen.draws += 1;
        seen.drawers.add(this);
        return plain.apply(this, given);
      };
    }
  };
  watch(window.WebGLRenderingContext, "drawArrays", "drawElements");
  watch(window.WebGL2RenderingContext, "drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced");
  watch(window.CanvasRenderingContext2D, "putImageData");
  watch(window.GPUQueue, "submit");

  const frame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });

  /** Wait until the card, or what emulates it, has done all that it was asked for. */
  const finished = async () => {
    for (const drawer of seen.drawers) {
      if (drawer.onSubmittedWorkDone) await drawer.onSubmittedWorkDone();
      if (!drawer.readPixels || drawer.isContextLost()) continue;
      const bound = drawer.getParameter(drawer.FRAMEBUFFER_BINDING);
      drawer.bindFramebuffer(drawer.FRAMEBUFFER, null);
      drawer.readPixels(0, 0, 1, 1, drawer.RGBA, drawer.UNSIGNED_BYTE, new Uint8Array(4));
      drawer.bindFramebuffer(drawer.FRAMEBUFFER, bound);
    }
  };

  /** Milliseconds from a moment until what was drawn last since then is done. */
  const settled = async (began, before) => {
    let [known, last, still] = [before, began, 0];
    while (known === before || still < QUIET) {
      await frame();
      still = seen.draws === known ? still + 1 : 0;
      if (still) continue;
      known = seen.draws;
      await finished();
      last = performance.now();
    }
    return last - began;
  };

  window.watched = {
    /** Milliseconds that an act takes until all that it draws is done. */
    time: async (act) => {
      const [began, before] = [performance.now(), seen.draws];
      await act();
      return settled(began, before);
    },
    /** The same for what is drawn once a button of the mouse is let go. */
    release: () => {
      window.watched.released = new Promise((resolve) => {
        const begin = () => resolve(settled(performance.now(), seen.draws));
        window.addEventListener("pointerup", begin, { capture: true, once: true });
      });
    },
    /** Count the frames in which anything is drawn, until `rate` is asked. */
    count: () => {
      const counted = { frames: 0, began: performance.now(), draws: seen.draws };
      const tick = () => {
        if (counted.ended) return;
        counted.frames += Number(seen.draws !== counted.draws);
        counted.draws = seen.draws;
        requestAnimationFrame(tick);
      };
      window.watched.counted = counted;
      requestAnimationFrame(tick);
    },
    rate: () => {
      const { counted } = window.watched;
      counted.ended = true;
      return (1000 * counted.frames) / (performance.now() - counted.began);
    },
    draws: () => seen.draws,
  };
})();
