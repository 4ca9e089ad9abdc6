/** How the scores are spread, and the cut as a line to drag. */

import { el, fill, svg } from "./dom.js";
import { count, counted, score } from "./numbers.js";

/** @typedef {import("./types.js").Cut} Cut */
/** @typedef {import("./types.js").Cuts} Cuts */

const HEIGHT = 210;
const EDGE = { left: 34, right: 12, top: 22, bottom: 22 };
/** Between the last arrow key and the cut being kept. */
const PAUSE = 400;

/** The drawing; `onmove` with every frame of a drag, `onrest` when it ends. */
export class Histogram {
  /** @param {{ onmove: (cut: Cut) => void, onrest: (cut: Cut) => void }} how */
  constructor(how) {
    this.how = how;
    /** @type {Cuts | null} */
    this.cuts = null;
    this.at = 0;
    this.held = false;
    this.frame = 0;
    this.timer = 0;
    this.width = 0;
    this.bars = svg("g");
    this.knob = this.#slider();
    this.picture = svg(
      "svg",
      { class: "histogram", height: HEIGHT, role: "group", "aria-label": "Scores of the documents, and the cut" },
      this.bars,
      this.knob,
    );
    this.element = el("div", { class: "histogram-box" }, this.picture);
    this.#drag();
    this.watch = new ResizeObserver(() => this.#draw());
    this.watch.observe(this.element);
  }

  /** @param {Cuts} cuts */
  set(cuts) {
    if (this.held) return; // the hand that holds the line decides; what it lets go of is asked for again
    this.cuts = cuts;
    this.at = nearest(cuts.cuts, cuts.current.threshold);
    this.#draw();
  }

  end() {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
  }

  #slider() {
    const line = svg("line", { class: "cut-line", y1: EDGE.top - 8, y2: HEIGHT - EDGE.bottom });
    const grip = svg("rect", { class: "grip", x: -7, y: EDGE.top - 18, width: 14, height: 18, rx: 5 });
    const ring = svg("rect", {
      class: "ring",
      x: -11,
      y: EDGE.top - 21,
      width: 22,
      height: HEIGHT - EDGE.bottom - EDGE.top + 24,
      rx: 7,
    });
    const label = svg("text", { class: "cut-label", y: EDGE.top - 5 });
    return svg(
      "g",
      {
        class: "knob",
        role: "slider",
        tabindex: "0",
        "aria-label": "Cut",
        "aria-orientation": "horizontal",
        "data-test": "cut",
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      },
      ring,
      line,
      grip,
      label,
    );
  }

  #drag() {
    let x = 0;
    const follow = () => {
      this.frame = 0;
      const table = this.cuts?.cuts;
      if (table) this.#move(nearest(table, this.#threshold(x)));
    };
    this.picture.addEventListener("pointerdown", (event) => {
      if (!this.cuts?.cuts.length || event.button !== 0) return;
      this.held = true;
      this.picture.setPointerCapture(event.pointerId);
      /** @type {HTMLElement} */ (/** @type {unknown} */ (this.knob)).focus({ preventScroll: true });
      x = event.clientX;
      follow();
      event.preventDefault();
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (!this.held) return;
      x = event.clientX;
      this.frame ||= requestAnimationFrame(follow);
    });
    const let_go = () => {
      if (!this.held || !this.cuts) return;
      this.held = false;
      if (this.frame) (cancelAnimationFrame(this.frame), follow());
      this.how.onrest(this.cuts.cuts[this.at]);
    };
    this.picture.addEventListener("pointerup", let_go);
    this.picture.addEventListener("pointercancel", let_go);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const table = this.cuts?.cuts;
    if (!table?.length || event.ctrlKey || event.metaKey || event.altKey) return;
    // The table begins at the right end: the highest threshold.
    const by = {
      ArrowRight: -1,
      ArrowUp: -1,
      ArrowLeft: 1,
      ArrowDown: 1,
      PageUp: -10,
      PageDown: 10,
      End: -Infinity,
      Home: Infinity,
    }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.held = true;
    this.#move(Math.max(0, Math.min(table.length - 1, this.at + by)));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.held = false;
      this.how.onrest(table[this.at]);
    }, PAUSE);
  }

  /** @param {number} at */
  #move(at) {
    if (!this.cuts) return;
    this.at = at;
    this.#place(this.cuts.cuts[at]);
    this.how.onmove(this.cuts.cuts[at]);
  }

  /** @param {Cut} cut */
  #place(cut) {
    const x = this.#x(cut.threshold);
    this.knob.setAttribute("transform", `translate(${x} 0)`);
    const label = /** @type {SVGTextElement} */ (this.knob.querySelector(".cut-label"));
    const right = x > this.width / 2;
    label.setAttribute("x", right ? "-12" : "12");
    label.setAttribute("text-anchor", right ? "end" : "start");
    label.textContent = `cut at ${score(cut.threshold)}`;
    this.knob.setAttribute("aria-valuenow", String(cut.threshold));
    this.knob.setAttribute("aria-valuetext", `score ${score(cut.threshold)}, ${counted(cut.count, "document")}`);
  }

  /** @returns {[number, number]} the lowest and the highest score of the axis */
  #span() {
    const { edges } = /** @type {Cuts} */ (this.cuts).histogram;
    const low = edges[0] ?? 0;
    const high = edges.at(-1) ?? 1;
    return high > low ? [low, high] : [low - 0.5, low + 0.5];
  }

  /** @param {number} threshold */
  #x(threshold) {
    const [low, high] = this.#span();
    const share = Math.max(0, Math.min(1, (threshold - low) / (high - low)));
    return EDGE.left + share * (this.width - EDGE.left - EDGE.right);
  }

  /** @param {number} clientX */
  #threshold(clientX) {
    const [low, high] = this.#span();
    const x = clientX - this.picture.getBoundingClientRect().left - EDGE.left;
    return low + (x / (this.width - EDGE.left - EDGE.right)) * (high - low);
  }

  #draw() {
    this.width = Math.max(200, this.element.clientWidth);
    this.picture.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    if (!this.cuts) return;
    fill(this.bars, ...this.#drawing(this.cuts.histogram));
    const table = this.cuts.cuts;
    this.knob.setAttribute("aria-valuemin", String(table.at(-1)?.threshold ?? 0));
    this.knob.setAttribute("aria-valuemax", String(table[0]?.threshold ?? 0));
    this.#place(this.held ? table[this.at] : this.cuts.current);
  }

  /**
   * Bars above the line for documents with a keyword, below it for the others; one scale for both. Heights are square
   * roots of counts, so that ten documents can be seen beside ten thousand; the numbers at the side say so.
   * @param {import("./types.js").Histogram} histogram
   */
  #drawing(histogram) {
    const { edges, matched, others, relevant, irrelevant } = histogram;
    const above = Math.sqrt(Math.max(1, ...matched));
    const below = Math.sqrt(Math.max(1, ...others));
    const unit = (HEIGHT - EDGE.top - EDGE.bottom - 16) / (above + below);
    const middle = EDGE.top + 8 + above * unit;
    const shapes = [...this.#scale(middle, unit, above ** 2, -1), ...this.#scale(middle, unit, below ** 2, 1)];
    for (let bin = 0; bin + 1 < edges.length; bin++) {
      const x = this.#x(edges[bin]);
      const width = Math.max(1, this.#x(edges[bin + 1]) - x - 1);
      const from = `score ${score(edges[bin])} to ${score(edges[bin + 1])}`;
      const up = Math.sqrt(matched[bin]) * unit;
      const down = Math.sqrt(others[bin]) * unit;
      if (up)
        shapes.push(
          svg(
            "rect",
            { class: "with", x, y: middle - up, width, height: up },
            svg("title", {}, `${counted(matched[bin], "document")} with a keyword, ${from}`),
          ),
        );
      if (down)
        shapes.push(
          svg(
            "rect",
            { class: "without", x, y: middle, width, height: down },
            svg("title", {}, `${counted(others[bin], "document")} without, ${from}`),
          ),
        );
      if (relevant[bin])
        shapes.push(
          svg(
            "circle",
            { class: "yes", cx: x + width / 2, cy: EDGE.top + 2, r: size(relevant[bin]) },
            svg("title", {}, `${count(relevant[bin])} answered relevant, ${from}`),
          ),
        );
      if (irrelevant[bin])
        shapes.push(
          svg(
            "circle",
            { class: "no", cx: x + width / 2, cy: HEIGHT - EDGE.bottom - 2, r: size(irrelevant[bin]) },
            svg("title", {}, `${count(irrelevant[bin])} answered not relevant, ${from}`),
          ),
        );
    }
    shapes.push(svg("line", { class: "axis", x1: EDGE.left, x2: this.width - EDGE.right, y1: middle, y2: middle }));
    const [low, high] = this.#span();
    for (const tick of ticks(low, high, this.width / 80))
      shapes.push(
        svg(
          "text",
          { class: "tick", x: this.#x(tick), y: HEIGHT - 5, "text-anchor": "middle" },
          tick.toFixed(high - low < 3 ? 1 : 0).replace("-", "−"),
        ),
      );
    return shapes;
  }

  /** Round counts at the side. @param {number} middle @param {number} unit @param {number} most @param {1 | -1} way */
  #scale(middle, unit, most, way) {
    const shown = [10, 100, 1000, 10_000, 100_000, 1_000_000]
      .filter((n) => n <= most && Math.sqrt(n) * unit > 11)
      .slice(-2);
    return shown.flatMap((n) => {
      const y = middle + way * Math.sqrt(n) * unit;
      return [
        svg("line", { class: "grid", x1: EDGE.left, x2: this.width - EDGE.right, y1: y, y2: y }),
        svg(
          "text",
          { class: "tick", x: EDGE.left - 4, y: y + 4, "text-anchor": "end" },
          n >= 1000 ? `${n / 1000}k` : n,
        ),
      ];
    });
  }
}

/** @param {number} n */
const size = (n) => Math.min(6, 2.5 + Math.log2(n));

/**
 * The place of the cut that is nearest to a threshold; the table falls.
 * @param {Cut[]} table
 * @param {number} threshold
 */
export function nearest(table, threshold) {
  let low = 0;
  let high = table.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table[middle].threshold > threshold) low = middle + 1;
    else high = middle;
  }
  const closer = low > 0 && table[low - 1].threshold - threshold < threshold - table[low].threshold;
  return closer ? low - 1 : Math.max(0, low);
}

/** @param {number} low @param {number} high @param {number} most */
function ticks(low, high, most) {
  const rough = (high - low) / Math.max(2, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * /** @type {number} */ ([1, 2, 5, 10].find((factor) => factor * power >= rough));
  const found = [];
  for (let tick = Math.ceil(low / step); tick * step <= high; tick++) found.push(tick * step);
  return found;
}
