/** Points on a canvas that can be moved, zoomed and encircled. */

import { el } from "./dom.js";
import { colours, cross, distance, ends, inside, ring } from "./shapes.js";

/** @typedef {{ document: number[], x: number[], y: number[], score: number[], answer: (import("./types.js").Said | null)[] }} Points */
/** @typedef {import("./shapes.js").Spot} Spot */

/** Steps of the colours from low to high. */
const SHADES = 8;
/** Pixels from a point within which a click means it. */
const NEAR = 9;
const EDGE = 18;

/** The canvas; `onpick` with one document, `onlasso` with those within a line that was drawn. */
export class Plane {
  /** @param {{ onpick: (document: number) => void, onlasso: (documents: number[]) => void }} how */
  constructor(how) {
    this.how = how;
    /** @type {Points} */
    this.points = { document: [], x: [], y: [], score: [], answer: [] };
    this.lassoing = true;
    /** @type {Spot[]} */
    this.lasso = [];
    /** @type {Set<number>} */
    this.chosen = new Set();
    this.view = { scale: 1, x: 0, y: 0 };
    this.frame = 0;
    /** @type {{ left: number, right: number, top: number, bottom: number } | null} */
    this.bounds = null;
    /** @type {Map<number, Spot>} */
    this.pointers = new Map();
    this.moved = 0;
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.element = el(
      "div",
      {
        class: "plane",
        tabindex: "0",
        role: "group",
        "aria-label": "Map of the documents: arrows move it, plus and minus zoom, 0 shows all of it",
        data: { test: "plane" },
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      },
      this.canvas,
    );
    this.recolour = () => this.later();
    this.#listen();
    this.watch = new ResizeObserver(() => this.later());
    this.watch.observe(this.element);
  }

  /** @param {Points} points */
  set(points) {
    this.points = points;
    const [left, right] = ends(points.x);
    const [top, bottom] = ends(points.y);
    this.bounds = { left, right, top, bottom };
    this.later();
  }

  end() {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    document.documentElement.removeEventListener("theme", this.recolour);
  }

  later() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.#draw();
    });
  }

  /** @param {number[]} documents */
  mark(documents) {
    this.chosen = new Set(documents);
    this.later();
  }

  /** Those that can be seen now. */
  inView() {
    const { clientWidth: w, clientHeight: h } = this.element;
    return this.#within(([x, y]) => x >= 0 && y >= 0 && x <= w && y <= h);
  }

  /** @param {number} by @param {Spot} [around] */
  zoom(by, around = [this.element.clientWidth / 2, this.element.clientHeight / 2]) {
    const scale = Math.max(1, Math.min(60, this.view.scale * by));
    const ratio = scale / this.view.scale;
    this.view = {
      scale,
      x: around[0] - (around[0] - this.view.x) * ratio,
      y: around[1] - (around[1] - this.view.y) * ratio,
    };
    if (scale === 1) this.view = { scale, x: 0, y: 0 };
    this.later();
  }

  all() {
    this.view = { scale: 1, x: 0, y: 0 };
    this.later();
  }

  /** @param {number} at @returns {Spot} where a point is on the canvas */
  #spot(at) {
    const { left, right, top, bottom } = /** @type {NonNullable<typeof this.bounds>} */ (this.bounds);
    const { clientWidth: w, clientHeight: h } = this.element;
    const x = EDGE + ((this.points.x[at] - left) / (right - left)) * (w - 2 * EDGE);
    const y = EDGE + ((bottom - this.points.y[at]) / (bottom - top)) * (h - 2 * EDGE);
    return [x * this.view.scale + this.view.x, y * this.view.scale + this.view.y];
  }

  /** Those that pass, the best first. @param {(spot: Spot) => boolean} test */
  #within(test) {
    const { document, score } = this.points;
    const places = document.map((_, at) => at).filter((at) => test(this.#spot(at)));
    return places.sort((a, b) => score[b] - score[a]).map((at) => document[at]);
  }

  #draw() {
    const { clientWidth: w, clientHeight: h } = this.element;
    const sharp = window.devicePixelRatio || 1;
    this.canvas.width = w * sharp;
    this.canvas.height = h * sharp;
    const pen = this.canvas.getContext("2d");
    if (!pen || !this.points.document.length) return;
    pen.scale(sharp, sharp);
    const ink = colours(this.element);
    this.#dots(pen, ink, w, h);
    this.#marks(pen, ink);
    this.#drawLasso(pen, ink);
  }

  /** What is not chosen steps back. @param {CanvasRenderingContext2D} pen @param {Record<string, string>} ink @param {number} w @param {number} h */
  #dots(pen, ink, w, h) {
    if (this.chosen.size) this.#shade(pen, ink, w, h, (document) => !this.chosen.has(document), 0.22);
    this.#shade(pen, ink, w, h, (document) => !this.chosen.size || this.chosen.has(document), 1);
  }

  /**
   * @param {CanvasRenderingContext2D} pen @param {Record<string, string>} ink @param {number} w @param {number} h
   * @param {(document: number) => boolean} which
   * @param {number} strength
   */
  #shade(pen, ink, w, h, which, strength) {
    const radius = Math.min(5, (this.points.document.length > 4000 ? 1.6 : 2.6) * Math.sqrt(this.view.scale));
    /** @type {Spot[][]} */
    const shades = Array.from({ length: SHADES }, () => []);
    this.points.document.forEach((document, at) => {
      if (!which(document)) return;
      const spot = this.#spot(at);
      if (spot[0] > -9 && spot[1] > -9 && spot[0] < w + 9 && spot[1] < h + 9)
        shades[Math.min(SHADES - 1, Math.floor(this.points.score[at] * SHADES))].push(spot);
    });
    shades.forEach((spots, shade) => {
      pen.fillStyle = shade < SHADES / 2 ? ink.low : ink.high;
      pen.globalAlpha =
        strength * (shade < SHADES / 2 ? 0.75 - shade * 0.06 : 0.35 + ((shade - SHADES / 2 + 1) / (SHADES / 2)) * 0.65);
      pen.beginPath();
      for (const [x, y] of spots) {
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 7);
      }
      pen.fill();
    });
    pen.globalAlpha = 1;
  }

  /** Answers as signs. @param {CanvasRenderingContext2D} pen @param {Record<string, string>} ink */
  #marks(pen, ink) {
    pen.lineWidth = 2;
    this.points.answer.forEach((answer, at) => {
      if (!answer) return;
      const [x, y] = this.#spot(at);
      pen.strokeStyle = { y: ink.yes, n: ink.no, unsure: ink.ink }[answer];
      if (answer === "n") cross(pen, x, y, 4);
      else ring(pen, x, y, answer === "y" ? 6 : 3);
    });
  }

  /** @param {CanvasRenderingContext2D} pen @param {Record<string, string>} ink */
  #drawLasso(pen, ink) {
    if (this.lasso.length < 2) return;
    pen.beginPath();
    this.lasso.forEach(([x, y], at) => (at ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.strokeStyle = ink.ink;
    pen.setLineDash([5, 4]);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 0.08;
    pen.fillStyle = ink.ink;
    pen.fill();
    pen.globalAlpha = 1;
  }

  #listen() {
    const { element } = this;
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, this.#at(event));
      this.moved = 0;
      this.lasso = this.lassoing !== event.shiftKey && this.pointers.size === 1 ? [this.#at(event)] : [];
    });
    element.addEventListener("pointermove", (event) => {
      const before = this.pointers.get(event.pointerId);
      if (before) this.#pull(event.pointerId, before, this.#at(event));
    });
    element.addEventListener("pointerup", (event) => this.#letGo(event));
    element.addEventListener("pointercancel", (event) => {
      this.pointers.delete(event.pointerId);
      this.lasso = [];
      this.later();
    });
    element.addEventListener(
      "wheel",
      (event) => (event.preventDefault(), this.zoom(Math.exp(-event.deltaY / 400), this.#at(event))),
      { passive: false },
    );
    document.documentElement.addEventListener("theme", this.recolour);
  }

  /** @param {number} id @param {Spot} before @param {Spot} now */
  #pull(id, before, now) {
    this.moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    const other = [...this.pointers].find(([one]) => one !== id)?.[1];
    if (other) {
      this.lasso = [];
      this.zoom(distance(now, other) / Math.max(1, distance(before, other)), other);
    } else if (this.lasso.length) this.lasso.push(now);
    else this.#pan(now[0] - before[0], now[1] - before[1]);
    this.pointers.set(id, now);
    this.later();
  }

  /** @param {PointerEvent} event */
  #letGo(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    const line = this.lasso;
    this.lasso = [];
    this.later();
    if (this.moved < 5) {
      const document = this.#nearest(this.#at(event));
      if (document !== undefined) this.how.onpick(document);
    } else if (line.length > 2) this.how.onlasso(this.#within((spot) => inside(spot, line)));
  }

  /** @param {number} x @param {number} y */
  #pan(x, y) {
    this.view = { ...this.view, x: this.view.x + x, y: this.view.y + y };
    this.later();
  }

  /** @param {Spot} spot */
  #nearest(spot) {
    let best = NEAR;
    /** @type {number | undefined} */
    let found;
    this.points.document.forEach((document, at) => {
      const far = distance(this.#spot(at), spot);
      if (far < best) [best, found] = [far, document];
    });
    return found;
  }

  /** @param {MouseEvent} event @returns {Spot} */
  #at(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = /** @type {Record<string, Spot>} */ ({
      ArrowLeft: [60, 0],
      ArrowRight: [-60, 0],
      ArrowUp: [0, 60],
      ArrowDown: [0, -60],
    })[event.key];
    if (pan) this.#pan(...pan);
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.all();
    else return;
    event.preventDefault();
  }
}
