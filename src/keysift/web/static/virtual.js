/** A list of any length: only the rows in view are elements, only the pages around them are kept. */

import { el, fill } from "./dom.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Rows} Rows */
/** @typedef {{ rows: Row[] | null, fresh: boolean, wait: AbortController | null }} Page */

const PAGE = 50;
/** Rows beyond the view that are made ready. */
const MARGIN = 8;
/** Pages on each side of the view that are kept. */
const KEPT = 3;
/** Browsers draw no taller element; above it, a pixel of the bar is more than one of the list. */
const TALLEST = 12_000_000;
/** A page is asked for when the view has rested on it so long, so that a fast scroll asks for few. */
const REST = 60;

/**
 * Shows rows of `source` with `draw`; the row with the mark moves with the arrow keys.
 */
export class VirtualList {
  /**
   * @param {{
   *   label: string,
   *   source: (start: number, n: number, signal: AbortSignal) => Promise<Rows | undefined>,
   *   draw: (row: Row) => Node[],
   *   empty: () => Node[],
   *   onopen: (row: Row, index: number) => void,
   *   onkey?: (event: KeyboardEvent, row: Row) => void,
   *   ontotal?: (total: number) => void,
   * }} how
   */
  constructor(how) {
    this.how = how;
    /** @type {Map<number, Page>} */
    this.pages = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.shown = new Map();
    /** @type {number | null} */
    this.total = null;
    this.active = 0;
    this.frame = 0;
    this.timer = 0;
    this.inner = el("div", { class: "rows", role: "presentation" });
    this.element = el(
      "div",
      {
        class: "virtual",
        role: "listbox",
        tabindex: "0",
        "aria-label": how.label,
        "aria-busy": "true",
        data: { test: "rows" },
        onscroll: () => this.#later(),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      },
      this.inner,
    );
    this.watch = new ResizeObserver(() => this.#later());
    this.watch.observe(this.element);
  }

  /** Starts again at the top. */
  restart() {
    for (const page of this.pages.values()) page.wait?.abort();
    this.pages.clear();
    this.total = null;
    this.active = 0;
    this.element.scrollTop = 0;
    this.#wait();
    this.element.setAttribute("aria-busy", "true");
    this.#later();
  }

  /** Asks again for what is shown, which stays until the answer is there. */
  refresh() {
    for (const page of this.pages.values()) page.fresh = false;
    this.#later();
  }

  /** No more of it. */
  end() {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    for (const page of this.pages.values()) page.wait?.abort();
  }

  /** @param {number} index @returns {Row | undefined} */
  row(index) {
    return this.pages.get(Math.floor(index / PAGE))?.rows?.[index % PAGE];
  }

  /** Changes a document wherever it is shown. @param {number} document @param {Partial<Row>} change */
  change(document, change) {
    for (const [number, page] of this.pages) {
      const at = page.rows?.findIndex((row) => row.document === document) ?? -1;
      if (!page.rows || at < 0) continue;
      page.rows[at] = { ...page.rows[at], ...change };
      this.shown.get(number * PAGE + at)?.remove();
      this.shown.delete(number * PAGE + at);
    }
    this.#later();
  }

  /** Moves the mark and brings it into view. @param {number} index @returns {Row | undefined} */
  activate(index) {
    if (!this.total) return undefined;
    this.active = Math.max(0, Math.min(this.total - 1, index));
    const { height, top, view } = this.#measure();
    const at = this.active * height;
    if (at < top) this.#scroll(at);
    else if (at + height > top + view) this.#scroll(at + height - view);
    this.#later();
    return this.row(this.active);
  }

  #later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.#render());
  }

  /** Heights, and where the view begins, in pixels of the whole list. */
  #measure() {
    const height = Number.parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || 96;
    const whole = (this.total ?? 0) * height;
    const view = this.element.clientHeight;
    const tall = Math.min(whole, TALLEST);
    const ratio = whole > tall ? (whole - view) / (tall - view) : 1;
    return { height, whole, view, tall, ratio, top: this.element.scrollTop * ratio };
  }

  /** @param {number} top */
  #scroll(top) {
    this.element.scrollTop = top / this.#measure().ratio;
  }

  #render() {
    const { height, view, tall, top } = this.#measure();
    const first = Math.max(0, Math.floor(top / height) - MARGIN);
    const last = Math.min((this.total ?? PAGE) - 1, Math.ceil((top + view) / height) + MARGIN);
    this.#fetch(Math.floor(first / PAGE), Math.max(0, Math.floor(last / PAGE)));
    if (this.total === 0) return this.#nothing();
    if (this.total === null) return;
    this.inner.style.setProperty("height", `${tall}px`);
    for (const [index, node] of this.shown) {
      if (index >= first && index <= last) continue;
      node.remove();
      this.shown.delete(index);
    }
    for (let index = first; index <= last; index++) this.#place(index, this.element.scrollTop + index * height - top);
    this.element.setAttribute("aria-activedescendant", `row-${this.active}`);
  }

  /** Rows without content, until it is known how many there are. */
  #wait() {
    this.shown.clear();
    const { height, view } = this.#measure();
    this.inner.style.setProperty("height", "100%");
    fill(this.inner, ...Array.from({ length: Math.ceil(view / height) }, (_, at) => shifted(waiting({}), at * height)));
    this.element.removeAttribute("aria-activedescendant");
  }

  #nothing() {
    this.shown.clear();
    this.inner.style.setProperty("height", "100%");
    fill(
      this.inner,
      el(
        "div",
        { class: "empty", role: "option", "aria-disabled": "true", "aria-selected": "false" },
        ...this.how.empty(),
      ),
    );
    this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {number} index @param {number} at */
  #place(index, at) {
    const row = this.row(index);
    let node = this.shown.get(index);
    if (!node || (row && node.classList.contains("waiting"))) {
      node?.remove();
      node = this.#make(index, row);
      this.shown.set(index, node);
      this.inner.append(node);
    }
    shifted(node, at);
    node.setAttribute("aria-selected", String(index === this.active));
  }

  /** @param {number} index @param {Row | undefined} row */
  #make(index, row) {
    const place = {
      id: `row-${index}`,
      role: "option",
      "aria-setsize": String(this.total),
      "aria-posinset": String(index + 1),
    };
    if (!row) return waiting(place);
    const open = () => {
      this.activate(index);
      this.how.onopen(row, index);
    };
    return el("div", { ...place, class: row.positive ? "row positive" : "row", onclick: open }, ...this.how.draw(row));
  }

  /** @param {number} first @param {number} last */
  #fetch(first, last) {
    for (const [number, page] of this.pages) {
      if (number >= first - KEPT && number <= last + KEPT) continue;
      page.wait?.abort();
      this.pages.delete(number);
    }
    clearTimeout(this.timer);
    const ask = () => {
      for (let number = first; number <= last; number++) this.#ask(number);
    };
    if (this.total === null) ask();
    else this.timer = window.setTimeout(ask, REST);
  }

  /** @param {number} number */
  async #ask(number) {
    const page = this.pages.get(number) ?? { rows: null, fresh: false, wait: null };
    if (page.fresh || (this.total !== null && number * PAGE >= Math.max(1, this.total))) return;
    this.pages.set(number, page);
    page.fresh = true;
    page.wait = new AbortController();
    const answer = await this.how.source(number * PAGE, PAGE, page.wait.signal);
    if (this.pages.get(number) !== page) return;
    page.wait = null;
    if (!answer) {
      page.fresh = false; // asked for again when it comes into view again
      return;
    }
    page.rows = answer.rows;
    this.#took(number, answer.total);
  }

  /** @param {number} number @param {number} total */
  #took(number, total) {
    if (total !== this.total) {
      this.total = total;
      this.active = Math.min(this.active, Math.max(0, total - 1));
      fill(this.inner);
      this.shown.clear();
      this.how.ontotal?.(total);
    }
    for (let index = number * PAGE; index < (number + 1) * PAGE; index++) {
      this.shown.get(index)?.remove();
      this.shown.delete(index);
    }
    this.element.removeAttribute("aria-busy");
    this.#later();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#measure().height) - 1);
    const by = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    }[event.key];
    const row = this.row(this.active);
    if (by !== undefined) this.activate(this.active + by);
    else if (!row) return;
    else if (event.key === "Enter" || event.key === "o") this.how.onopen(row, this.active);
    else return this.how.onkey?.(event, row);
    event.preventDefault();
  }
}

/** @param {Record<string, string>} place */
const waiting = (place) =>
  el(
    "div",
    { role: "option", "aria-selected": "false", ...place, class: "row waiting", "aria-label": "loading" },
    el("span"),
    el("span"),
  );

/** @param {HTMLElement} node @param {number} at */
function shifted(node, at) {
  node.style.setProperty("transform", `translateY(${at}px)`);
  return node;
}
