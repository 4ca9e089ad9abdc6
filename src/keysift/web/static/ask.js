/** Twenty documents drawn at random: after them it is known how many are relevant, and how good the cut is. */

import { ANSWERS, answerButtons, answerOf } from "./answers.js";
import { api } from "./api.js";
import { cells } from "./document.js";
import { el, fill } from "./dom.js";
import { count } from "./numbers.js";
import { text } from "./pieces.js";
import { attempt, toast } from "./toast.js";

/** @typedef {import("./types.js").Asking} Asking */

/** @param {HTMLElement} root @returns {import("./app.js").Screen} */
export function showAsk(root) {
  const screen = new AskScreen(root);
  screen.load();
  return screen;
}

class AskScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {Asking | null} */
    this.asking = null;
    this.at = 0;
    this.busy = false;
    this.progress = el("progress", { max: "1", value: 0, "aria-label": "Answered so far" });
    this.where = el("p", { class: "soft", "aria-live": "polite", data: { test: "ask-where" } });
    this.card = el("article", {
      class: "reading",
      tabindex: "0",
      "aria-label": "Document to judge",
      data: { test: "asked" },
    });
    this.buttons = el("div", { class: "actions" });
    fill(
      root,
      el("h1", {}, "Answer 20 to know"),
      el(
        "p",
        { class: "lead" },
        "Drawn at random from all parts of the ranking. Your answers tell how many documents are relevant, and what to expect of the cut; they are saved as you give them.",
      ),
      el("div", { class: "asked-so-far" }, this.progress, this.where),
      el(
        "div",
        { class: "reviewing" },
        el("section", { class: "desk", "aria-label": "The document" }, this.card, this.buttons),
      ),
    );
  }

  async load() {
    const asking = await attempt(api.asking(), (sentence) =>
      fill(this.card, el("p", { class: "problem", role: "alert" }, sentence)),
    );
    if (asking)
      this.#set(
        asking,
        asking.answers.findIndex((answer) => answer === null),
      );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const said = answerOf(event.key);
    if (event.repeat) return;
    if (said) this.#answer(said);
    else if (event.key === "b") this.#go(this.at - 1);
  }

  /** @param {Asking} asking @param {number} at the one to show; -1 where all are answered */
  #set(asking, at) {
    const done = asking.answers.filter((answer) => answer !== null).length;
    this.asking = asking;
    this.progress.max = asking.documents.length;
    this.progress.value = done;
    if (at < 0) this.#finished();
    else this.#go(at);
  }

  /** @param {number} at */
  #go(at) {
    const shown = this.asking?.documents[at];
    if (!this.asking || !shown) return;
    this.at = at;
    const known = this.asking.answers.filter((answer) => answer === "y" || answer === "n").length;
    fill(this.where, `Document ${at + 1} of ${count(this.asking.documents.length)}`);
    fill(
      this.card,
      el("header", {}, el("h2", {}, el("bdi", {}, shown.id))),
      text(shown.pieces),
      shown.cells.length > 0 && cells(shown.cells),
    );
    this.card.scrollTop = 0;
    fill(
      this.buttons,
      answerButtons(this.asking.answers[at], (said) => this.#answer(said)),
      el(
        "div",
        { class: "others" },
        el(
          "button",
          { type: "button", disabled: at === 0, onclick: () => this.#go(at - 1) },
          "Back ",
          el("kbd", { "aria-hidden": "true" }, "b"),
        ),
        el(
          "button",
          {
            type: "button",
            disabled: known < this.asking.fewest,
            data: { test: "ask-apply" },
            onclick: () => this.#apply(),
          },
          "That is enough",
        ),
      ),
    );
  }

  #finished() {
    fill(this.where, "All are answered.");
    fill(
      this.card,
      el(
        "div",
        { class: "empty" },
        el("h2", {}, "Thank you"),
        el("p", {}, "Now the cut can be placed by what you said."),
        el(
          "button",
          { type: "button", class: "primary", data: { test: "ask-apply" }, onclick: () => this.#apply() },
          "Use the answers →",
        ),
      ),
    );
    fill(this.buttons);
  }

  /** @param {import("./types.js").Said} said */
  async #answer(said) {
    const shown = this.asking?.documents[this.at];
    if (!shown || this.busy || !ANSWERS.some((answer) => answer.said === said)) return;
    this.busy = true;
    const asking = await attempt(api.answerAsked(shown.document, said));
    this.busy = false;
    if (!asking) return this.load(); // the ranking has changed meanwhile, and others are asked about
    const later = asking.answers.findIndex(
      (/** @type {unknown} */ answer, /** @type {number} */ place) => answer === null && place > this.at,
    );
    this.#set(asking, later >= 0 ? later : asking.answers.indexOf(null));
  }

  async #apply() {
    const cuts = await attempt(api.applyAsked());
    if (!cuts) return;
    toast(
      cuts.rule === "at the prior"
        ? "The cut is placed by your answers."
        : `Your answers are used. The cut stays as you chose it: ${cuts.rule}.`,
    );
    location.hash = "#/ranking";
  }
}
