// The linked map: panes of the same rows that move, light up and select together. One instance an
// element; it outlives every update, and with it zoom, selection and hidden classes.

import { Acts } from "./acts.js";
import { arranged, arrangements } from "./arrange.js";
import { fillBar, listenToBar } from "./bar.js";
import { beyond, fillBorder } from "./border.js";
import { colorWords, looksOf } from "./coloring.js";
import { find } from "./elements.js";
import { listen } from "./gestures.js";
import { DOTS, marksOf } from "./items.js";
import { recall, remember } from "./memory.js";
import { FRONT } from "./orbit.js";
import { fillLegend, fillPanes, fillTooltip } from "./panel.js";
import { ANCHOR, HOLLOW, LABELED, readPayload, STARS } from "./payload.js";
import { Picture } from "./picture.js";
import { probe } from "./probe.js";
import { isAsOpened, seen } from "./seen.js";
import { Selection } from "./selection.js";
import { Texts } from "./texts.js";
import { Views } from "./views.js";
/** @import { Arrangement } from "./arrange.js" */
/** @import { Looks } from "./coloring.js" */
/** @import { Point } from "./geometry.js" */
/** @import { Marks } from "./items.js" */
/** @import { Outline } from "./marks.js" */
/** @import { Side } from "./orbit.js" */
/** @import { Known, Theme } from "./overlay.js" */
/** @import { Marked, Payload } from "./payload.js" */
/** @import { Probe } from "./probe.js" */

/**
 * What shows a map and hears of it: Streamlit's component, or a page of its own.
 * @typedef {object} Host
 * @property {HTMLElement | ShadowRoot} parentElement
 * @property {(name: string, sent: object) => void} setStateValue
 */

/** @typedef {{ data: Uint8Array<ArrayBuffer>, payload?: undefined } | { payload: Payload, data?: undefined }} Message as bytes, or read */
/** @typedef {Host & Message} Component */
/** @typedef {HTMLDivElement & { relvizMap: Probe }} Root */
/** @typedef {{ marks: Marks, named: boolean }} Wishes */

const MOST_LABELED = 30;
const LEAST_HEIGHT = 380;
const MARGIN = 12;
const RESTS = 600; // milliseconds without a change, before Python hears of it

/**
 * The height that is left of the screen under what stands above; all of it where that is more than half.
 * @param {HTMLElement} root
 * @param {Pick<Payload, "height" | "below">} payload
 */
function fitting(root, { height: most, below }) {
  const main = document.querySelector('[data-testid="stMain"]');
  const above = root.getBoundingClientRect().top + (main?.scrollTop ?? 0);
  const room = window.innerHeight - (above < window.innerHeight / 2 ? above : 0) - below - MARGIN;
  return Math.min(most, Math.max(LEAST_HEIGHT, room));
}

export class LinkedMap {
  /** @type {Component} */ component;
  /** @type {Payload} as it came */ fitted;
  /** @type {Payload} as it is arranged */ payload;
  /** @type {Selection} */ selection;
  /** @type {Set<string>} */ hiddenNames;
  /** @type {number | undefined} */ starsShown;
  /** @type {Looks} */ looks;
  /** @type {Theme} */ theme;
  /** @type {number[]} */ labeled;
  /** @type {number | undefined} */ height;
  /** @type {number | undefined} of what Python marked */ taken;
  /** @type {number} that is pointed at, -1 for none */ row;
  /** @type {Point | undefined} */ cursor;
  /** @type {Outline | undefined} */ shape;
  /** @type {string | undefined} */ seenLast;
  /** @type {number | undefined} */ resting;
  /** @type {object | undefined} */ answer;
  notice = "";
  speaks = false;
  unsaid = false;

  /**
   * @param {HTMLElement | ShadowRoot} parent
   * @param {string} template
   */
  constructor(parent, template) {
    parent.append(document.createRange().createContextualFragment(template));
    const root = /** @type {Root} */ (find(parent, "div", ".relviz-map"));
    this.root = root;
    this.legend = find(root, "div", ".legend");
    this.tooltip = find(root, "div", ".tooltip");
    this.views = new Views();
    /** @type {Arrangement} */
    this.arrangement = { centered: false, turned: false };
    /** @type {Wishes} */
    this.wished = { marks: DOTS, named: false };
    /** @type {Side} */
    this.side = FRONT;
    this.texts = new Texts(() => this.picture.schedule("labels"));
    this.picture = new Picture(root, this, () => this.afterPainting());
    this.acts = new Acts(this);
    listenToBar(root, this.acts);
    root.relvizMap = probe(this);
  }

  // --- what Python sends

  /** @param {Component} component */
  update(component) {
    this.component = component;
    this.readTheme();
    const payload = component.payload ?? readPayload(component.data);
    if (payload.digest === this.fitted?.digest) {
      this.picture.schedule();
      return;
    }
    this.fitted = payload;
    this.arrange();
  }

  /** Take the panes as they were fitted, or as they are asked to be laid out. */
  arrange() {
    const payload = arranged(this.fitted, this.arrangement, this.side);
    const before = this.payload;
    const sameRows = before?.identity === payload.identity && before.n === payload.n;
    this.payload = payload;
    if (!sameRows) this.beginAnew();
    this.acts.takeDepth(payload.panes.some((pane) => pane.space));
    this.starsShown ??= payload.anchors_shown ? STARS : 0;
    this.height ??= fitting(this.root, payload);
    this.root.style.height = `${Math.min(this.height, payload.height)}px`;
    this.texts.take(payload);
    const plots = fillPanes(this.picture.grid, payload);
    plots.forEach((plot, pane) => plot.onpointerdown ?? listen(plot, pane, this.acts));
    this.picture.take(payload, sameRows ? before : undefined, plots);
    this.views.take(payload.panes.map((pane) => pane.group));
    if (!this.takeMarks(payload.marked)) this.refreshLooks();
  }

  /**
   * Look at points in space from another side.
   * @param {Side} side
   */
  orbit(side) {
    this.side = side;
    this.payload = arranged(this.fitted, this.arrangement, side);
    this.picture.orbit(this.payload);
  }

  /**
   * Select what Python asks for, once; whether it asked.
   * @param {Marked | null | undefined} marked
   */
  takeMarks(marked) {
    if (!marked || marked.number === this.taken) return false;
    this.taken = marked.number;
    if (marked.identity !== this.payload.identity) return false;
    this.selection.choose(marked.rows, false);
    this.tell();
    return true;
  }

  /** Other rows: nothing of the old ones stays; of these, what was left of them on an earlier visit. */
  beginAnew() {
    this.row = -1;
    this.seenLast = undefined;
    this.acts.clearSearch();
    const known = recall(this.payload);
    this.views = known?.views ?? new Views();
    this.selection = known?.selection ?? new Selection(this.payload.n);
    this.hiddenNames = known?.hiddenNames ?? new Set();
    this.starsShown = known?.starsShown ?? this.starsShown;
    this.arrangement = known?.arrangement ?? this.arrangement;
    this.wished = known?.wished ?? this.wished;
    this.side = known?.side ?? this.side;
    this.taken = known?.taken ?? this.taken;
    this.acts.mode = known?.mode ?? this.acts.mode;
  }

  readTheme() {
    const style = getComputedStyle(this.root);
    /** @param {string} color */
    const numbers = (color) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((value) => Number(value) / 255);
    const [inkCss, paperCss] = [style.color, style.backgroundColor];
    this.theme = { inkCss, paperCss, ink: numbers(inkCss), paper: numbers(paperCss), font: style.fontFamily };
  }

  // --- what rows look like

  refreshLooks() {
    const { selection, hiddenNames, starsShown = 0 } = this;
    this.looks = looksOf(this.payload, { selection, hiddenNames, starsShown });
    this.labeled = this.rowsToLabel();
    this.picture.setLooks(this.looks);
    fillLegend(this.legend, this.payload, {
      hiddenNames,
      starsShown,
      toggleName: (name) => {
        if (!this.hiddenNames.delete(name)) this.hiddenNames.add(name);
        this.refreshLooks();
      },
      toggleStars: (flag) => {
        this.starsShown = starsShown ^ flag;
        this.refreshLooks();
      },
    });
    this.refreshBar();
  }

  /**
   * Have items be drawn otherwise, or classes be named.
   * @param {Partial<Wishes>} change
   */
  wish(change) {
    this.wished = { ...this.wished, ...change };
    this.refreshBar();
    this.picture.schedule();
  }

  /** The marks that are asked for, where what is shown has them. */
  get marks() {
    return marksOf(this.payload).includes(this.wished.marks) ? this.wished.marks : DOTS;
  }

  /**
   * What is known of the rows, for what is drawn over the points.
   * @returns {Known}
   */
  over() {
    const { payload, texts, selection, labeled, theme, hiddenNames, marks } = this;
    this.picture.items.take(marks, [payload.identity, this.starsShown, ...[...hiddenNames].sort()].join("\n"));
    return { payload, texts, selection, labeled, theme, hiddenNames, marks, named: this.wished.named };
  }

  rowsToLabel() {
    const { flags } = this.payload;
    const chosen = this.selection.count <= MOST_LABELED ? [...this.selection.rows()] : [];
    for (let row = 0; row < flags.length && chosen.length < MOST_LABELED; row++) {
      if (flags[row] & LABELED) chosen.push(row);
    }
    return chosen;
  }

  refreshBar() {
    const slow = this.picture.points.kind === "webgl" ? "" : "Software rendering";
    const { payload, selection, views, notice, arrangement, marks } = this;
    const arrangeable = arrangements(this.fitted);
    const { mode, deep } = this.acts;
    const { named } = this.wished;
    const about = { payload, selection, views, mode, deep, arrangement, arrangeable, marks, named };
    fillBar(this.root, { ...about, notice: notice || slow });
  }

  // --- what is pointed at and selected

  /**
   * Point at a row, its tooltip at a pixel of the grid; -1 is none.
   * @param {number} row
   * @param {Point | undefined} at
   * @param {boolean} [speaks]
   */
  point(row, at, speaks = false) {
    this.row = row;
    this.cursor = at;
    this.speaks = speaks;
    this.picture.schedule("marks");
  }

  /**
   * Show the selection, and unless more of the gesture is to come, give it to Python.
   * @param {boolean} [done]
   */
  tell(done = true) {
    this.refreshLooks();
    this.unsaid = !done;
    if (done) this.answer = { identity: this.payload.identity, ...this.selection.packed() };
  }

  /** Marks at the borders of panes that stand as they opened. */
  showBorders() {
    const { payload, picture, looks, views } = this;
    const plots = picture.measured();
    picture.plots.forEach((plot, pane) => {
      const { x, y, zoom } = views.all[pane];
      const asOpened = x === 0 && y === 0 && zoom === 1 && !picture.moving && !picture.turning;
      const placed = asOpened && payload.panes[pane].positions && picture.placed(pane);
      const marks = placed ? beyond(placed.positions, looks.hidden, placed.frame, plots[pane]) : [];
      fillBorder(plot, marks, () => this.acts.showAll(pane));
    });
  }

  afterPainting() {
    this.showTooltip();
    this.tellSeen();
    const { answer, component } = this;
    if (!answer) return;
    this.answer = undefined;
    setTimeout(() => component.setStateValue("chosen", answer)); // Python's work does not hold up the marks
  }

  /** Give Python what is hidden and zoomed, once it rests: figures print the same. */
  tellSeen() {
    const { payload, component } = this;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.payload !== payload || this.picture.moving || !this.root.isConnected) return;
      const shown = seen(this);
      const text = JSON.stringify(shown);
      if (text === this.seenLast || (isAsOpened(shown) && this.seenLast === undefined)) return;
      this.seenLast = text;
      component.setStateValue("seen", { identity: payload.identity, ...shown });
    }, RESTS);
  }

  showTooltip() {
    const { row, payload, cursor, tooltip, root } = this;
    if (row < 0 || !cursor) {
      fillTooltip(tooltip, root, undefined);
      return;
    }
    const text = this.texts.get(row);
    const said = [...new Set([text?.label, colorWords(payload, row), anchorWords(payload.flags[row])])].filter(Boolean);
    const item = text?.item ?? (this.texts.failed(row) ? "The text could not be loaded." : "…");
    fillTooltip(tooltip, root, {
      item,
      kind: said.join(" · "),
      x: cursor.x + this.picture.grid.offsetLeft,
      y: cursor.y + this.picture.grid.offsetTop,
      drawPicture: (context) => this.texts.drawPicture(context, row, 0, 0, 96),
    });
    if (!this.speaks || !text) return;
    find(root, "div", ".spoken").textContent = [item, ...said].join(", ");
    this.speaks = false;
  }

  release() {
    clearTimeout(this.resting);
    if (this.payload) remember(this);
    this.picture.release();
    this.root.remove();
  }
}

/** @param {number} flags */
function anchorWords(flags) {
  return flags & HOLLOW ? "discovered anchor" : flags & ANCHOR ? "anchor" : "";
}

/** @type {WeakMap<HTMLElement | ShadowRoot, { map: LinkedMap, call: number }>} */
const maps = new WeakMap();
let calls = 0;

/**
 * Show a payload in an element; the answer takes the map away, unless it was shown anew since.
 * @param {Component} component
 * @param {string} template
 */
export function mount(component, template) {
  const { parentElement } = component;
  const entry = maps.get(parentElement) ?? { map: new LinkedMap(parentElement, template), call: 0 };
  maps.set(parentElement, entry);
  const call = (entry.call = ++calls);
  entry.map.update(component);
  return () => {
    if (entry.call !== call) return;
    entry.map.release();
    maps.delete(parentElement);
  };
}
