/** The cut: where the list ends, what to expect of that, and other ways to choose it. */

import { api } from "./api.js";
import { el, fill } from "./dom.js";
import { Histogram } from "./histogram.js";
import { count, interval, percent } from "./numbers.js";
import { status } from "./status.js";
import { attempt } from "./toast.js";

/** @typedef {import("./types.js").Cut} Cut */
/** @typedef {import("./types.js").Cuts} Cuts */
/** @typedef {import("./types.js").CutAt} CutAt */
/** @typedef {import("./types.js").Estimate} Estimate */

/** @type {{ by: CutAt["by"], label: string, unit?: "%" | "n", first?: string }[]} */
const RULES = [
  { by: "prior", label: "as many as are expected to be relevant" },
  { by: "max_f1", label: "for the best F1" },
  { by: "precision", label: "for a precision of at least", unit: "%", first: "90" },
  { by: "recall", label: "for a recall of at least", unit: "%", first: "95" },
  { by: "top", label: "after this many documents", unit: "n", first: "100" },
];

const UNKNOWN = "not known yet";

export class CutPanel {
  constructor() {
    this.histogram = new Histogram({
      onmove: (cut) => this.#figures(cut),
      onrest: (cut) => this.#keep({ by: "score", value: cut.threshold }),
    });
    this.number = el("b", { data: { test: "cut-count" } }, "–");
    this.of = el("span", { class: "soft" });
    this.precision = figure("precision");
    this.recall = figure("recall");
    this.prior = figure("prior");
    this.asked = figure("asked");
    this.after = row("After 20 answers", "How well that share would be known after 20 answers to a random sample", this.asked);
    this.source = el("p", { class: "soft rule", data: { test: "source" } });
    this.rule = el("p", { class: "soft rule" });
    this.unknown = UNKNOWN;
    this.advice = el("p", { class: "advice" });
    this.ask = el("a", { class: "button", href: "#/ask", hidden: true, data: { test: "ask" } }, "Answer 20 documents");
    this.problem = el("p", { class: "field-problem", role: "alert" });
    this.element = el(
      "section",
      { class: "card cut", "aria-label": "The cut", data: { test: "cut-panel" } },
      el("div", { class: "cut-head" }, el("h2", {}, "The cut"), el("p", { class: "taken" }, this.number, " ", this.of)),
      this.histogram.element,
      el(
        "p",
        { class: "legend", "aria-hidden": "true" },
        key("with", "with a keyword"),
        key("without", "without"),
        key("yes", "said yes"),
        key("no", "said no"),
      ),
      el(
        "dl",
        { class: "figures", "aria-live": "off" },
        row("Precision", "Of the documents above the cut, the share that is relevant", this.precision),
        row("Recall", "Of the relevant documents, the share that is above the cut", this.recall),
        row("Relevant in all", "The share of all documents that is relevant: the prior", this.prior),
        this.after,
      ),
      this.source,
      this.rule,
      this.advice,
      this.ask,
      this.problem,
      this.#form(),
    );
  }

  async load() {
    const cuts = await attempt(api.cuts(), (sentence) => fill(this.advice, sentence));
    if (cuts) this.#set(cuts);
  }

  end() {
    this.histogram.end();
  }

  /** @param {Cuts} cuts */
  #set(cuts) {
    if (this.histogram.held) return;
    this.histogram.set(cuts);
    this.unknown = cuts.basis === "measured" ? "let go to measure" : UNKNOWN;
    this.#figures(cuts.current);
    put(this.prior, cuts.prior);
    put(this.asked, cuts.asked);
    this.asked.value.textContent = ""; // what it would be is not known before; how well it would be, is
    this.source.hidden = !cuts.source;
    fill(this.source, cuts.source);
    this.after.hidden = cuts.asked === null;
    fill(this.rule, `Cut: ${cuts.rule}${cuts.provisional ? " (provisional)" : ""}. Relevant in all: ${cuts.origin}.`);
    fill(this.advice, cuts.advice);
    this.ask.hidden = !cuts.ask;
  }

  /** Only texts change here: it is called in every frame of a drag. @param {Cut} cut */
  #figures(cut) {
    this.number.textContent = count(cut.count);
    this.of.textContent = `of ${count(status().corpus?.documents ?? 0)} documents`;
    put(this.precision, cut.precision, this.unknown);
    put(this.recall, cut.recall, this.unknown);
  }

  /** @param {CutAt} at */
  async #keep(at) {
    fill(this.problem);
    const cuts = await attempt(api.cut(at), (sentence) => fill(this.problem, sentence));
    if (cuts) this.#set(cuts);
  }

  #form() {
    const rule = el(
      "select",
      { id: "rule", data: { test: "rule" } },
      ...RULES.map(({ by, label }) => el("option", { value: by }, label)),
    );
    const value = el("input", {
      type: "number",
      id: "rule-value",
      "aria-label": "How many, or percent",
      min: "0",
      step: "any",
      data: { test: "rule-value" },
    });
    const unit = el("span", { class: "unit" });
    const prior = el("input", {
      type: "number",
      id: "known",
      min: "0",
      max: "100",
      step: "any",
      placeholder: "not known",
      data: { test: "known-prior" },
    });
    const chosen = () => /** @type {(typeof RULES)[number]} */ (RULES.find(({ by }) => by === rule.value));
    const draw = () => {
      const { unit: kind, first } = chosen();
      value.disabled = kind === undefined;
      value.value = first ?? "";
      fill(unit, kind === "%" ? "%" : "");
    };
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const { by, unit: kind } = chosen();
      const known = Number(prior.value) / 100;
      this.#keep({
        by,
        value: kind === undefined ? null : Number(value.value) / (kind === "%" ? 100 : 1),
        ...(known > 0 && { prior: known }),
      });
    };
    rule.addEventListener("change", draw);
    draw();
    return el(
      "details",
      { class: "choose-cut" },
      el("summary", {}, "Other ways to cut"),
      el(
        "form",
        { onsubmit: submit },
        el("label", { for: "rule" }, "Cut"),
        rule,
        el("div", { class: "inline value" }, value, unit),
        el("label", { for: "known" }, "Relevant in all, if you know it"),
        el(
          "div",
          { class: "inline" },
          prior,
          el("span", { class: "unit" }, "%"),
          el("button", { type: "submit", data: { test: "apply-rule" } }, "Cut there"),
        ),
      ),
    );
  }
}

/** A figure with room for its interval. @param {string} name */
function figure(name) {
  const value = el("b", { data: { test: name } }, "–");
  const range = el("span", { class: "soft", data: { test: `${name}-interval` } });
  const band = el("i");
  const mark = el("b");
  return { value, range, band, mark, bar: el("span", { class: "interval", "aria-hidden": "true" }, band, mark) };
}

/** @param {ReturnType<typeof figure>} where @param {Estimate | null} estimate @param {string} [unknown] */
function put(where, estimate, unknown = UNKNOWN) {
  where.value.textContent = estimate ? percent(estimate.value) : "–";
  where.range.textContent = estimate ? interval(estimate) : unknown;
  where.bar.classList.toggle("none", !estimate);
  where.band.style.setProperty("left", `${(estimate?.low ?? 0) * 100}%`);
  where.band.style.setProperty("width", `${((estimate?.high ?? 0) - (estimate?.low ?? 0)) * 100}%`);
  where.mark.style.setProperty("left", `${(estimate?.value ?? 0) * 100}%`);
}

/** @param {string} label @param {string} means @param {ReturnType<typeof figure>} figure */
const row = (label, means, figure) =>
  el("div", { title: means }, el("dt", {}, label), el("dd", {}, figure.value, figure.bar, figure.range));

/** @param {string} kind @param {string} means */
const key = (kind, means) => el("span", { class: `key ${kind}` }, means);
