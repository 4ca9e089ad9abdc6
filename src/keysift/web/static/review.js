/** Step 4: one document at a time, one key an answer. */

import { ANSWERS, answerOf } from "./answers.js";
import { api, Refused } from "./api.js";
import { cells } from "./document.js";
import { el, fill, keepFocus, renew } from "./dom.js";
import { NoteField } from "./note.js";
import { count, counted, percent, score } from "./numbers.js";
import { legend, reasons, text } from "./pieces.js";
import { attempt, toast } from "./toast.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Shown} Shown */

const CHOSEN = { best: "best of the unread", explore: "to explore", sample: "drawn at random" };

/** @param {HTMLElement} root @returns {import("./app.js").Screen} */
export function showReview(root) {
  const screen = new ReviewScreen(root);
  screen.load();
  return screen;
}

class ReviewScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {Review | null} */
    this.review = null;
    /** The document on the card, null where none is left. @type {number | null | undefined} */
    this.drawn = undefined;
    /** An answer is on its way; a key pressed now would answer a document that nobody has seen. */
    this.busy = false;
    this.card = el("article", {
      class: "reading",
      tabindex: "0",
      "aria-label": "Document to judge",
      data: { test: "shown" },
      "aria-live": "polite",
    });
    this.evidence = el("div", { class: "evidence", id: "evidence", hidden: true, data: { test: "evidence" } });
    this.note = new NoteField("note", "A note on this document (o)");
    this.buttons = el("div", { class: "actions" });
    this.side = el("aside", { "aria-label": "Progress" });
    this.footing = el(
      "div",
      { class: "footing" },
      this.evidence,
      this.note.element,
    );
    fill(
      root,
      el("h1", { class: "hidden" }, "Review"),
      el(
        "div",
        { class: "reviewing" },
        el("section", { class: "desk", "aria-label": "The document" }, this.card, this.footing, this.buttons),
        this.side,
      ),
    );
  }

  async load() {
    const review = await attempt(api.review(), (sentence) => {
      this.drawn = undefined;
      fill(this.card, el("p", { class: "problem", role: "alert" }, sentence));
    });
    if (review) this.#set(review);
  }

  refresh() {
    if (!this.busy) this.load();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const said = answerOf(event.key);
    const act = said
      ? () => this.#answer(said)
      : {
          s: () => this.#answer("skip"),
          b: () => this.#back(),
          c: () => this.#check(),
          e: () => this.#toggleEvidence(),
          o: () => this.note.field.focus(),
        }[event.key];
    if (!act || event.repeat) return; // a key that is held down is one answer
    event.preventDefault();
    act();
  }

  leave() {
    this.note.save();
  }

  /** @param {Review} review */
  #set(review) {
    const next = review.shown?.document ?? null;
    this.review = review;
    if (next !== this.drawn) this.#show(review.shown);
    else if (this.note.rests) this.note.show(review.shown); // another browser may have written one
    this.drawn = next;
    keepFocus(this.buttons, () => renew(this.buttons, ...this.#actions(review)));
    renew(this.side, ...standing(review));
  }

  /** @param {Shown | null} shown */
  #show(shown) {
    this.#hideEvidence();
    this.footing.hidden = shown === null;
    this.note.show(shown);
    if (!shown) {
      fill(
        this.card,
        el(
          "div",
          { class: "empty" },
          el("h2", {}, "Everything is read"),
          el("p", {}, "Every document has an answer or was skipped."),
          el("a", { class: "button primary", href: "#/export" }, "On to the report →"),
        ),
      );
      return;
    }
    fill(
      this.card,
      el(
        "header",
        {},
        el("h2", {}, el("bdi", {}, shown.id)),
        el("span", { class: "tag" }, CHOSEN[/** @type {keyof typeof CHOSEN} */ (shown.chosen)] ?? shown.chosen),
      ),
      text(shown.pieces),
      shown.cells.length > 0 && cells(shown.cells),
    );
    this.card.scrollTop = 0;
  }

  /** @param {Review} review */
  #actions(review) {
    const none = review.shown === null;
    /** @param {string} key @param {string} label @param {() => void} act @param {Record<string, any>} [more] */
    const button = (key, label, act, more = {}) =>
      el(
        "button",
        {
          type: "button",
          "aria-keyshortcuts": key,
          data: { test: `review-${key}`, key: `review ${key}` },
          onclick: act,
          ...more,
        },
        label,
        " ",
        el("kbd", { "aria-hidden": "true" }, key),
      );
    return [
      el(
        "div",
        { class: "answers", role: "group", "aria-label": "Your answer" },
        ...ANSWERS.map(({ said, key, label, sign }) =>
          button(key, `${sign} ${label}`, () => this.#answer(said), { class: `answer ${said}`, disabled: none }),
        ),
      ),
      el(
        "div",
        { class: "others", role: "group", "aria-label": "More" },
        button("b", "Back", () => this.#back(), { disabled: review.read + review.unsure + review.skipped === 0 }),
        button("s", "Skip", () => this.#answer("skip"), { disabled: none }),
        button("e", "Evidence", () => this.#toggleEvidence(), {
          disabled: none,
          "aria-expanded": String(!this.evidence.hidden),
          "aria-controls": "evidence",
        }),
        button("c", review.checking ? "End the check" : "Stop check", () => this.#check(), {
          "aria-pressed": String(review.checking),
          title: "Draw at random from what is unread, to know whether you may stop",
        }),
      ),
    ];
  }

  /** @param {() => Promise<Review>} call */
  async #act(call) {
    if (this.busy) return false;
    this.busy = true;
    try {
      await this.note.save();
      this.#set(await call());
      return true;
    } catch (error) {
      await attempt(Promise.reject(error));
      if (error instanceof Refused && error.code === 409) await this.load(); // somebody else answered it
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** @param {"y" | "n" | "unsure" | "skip"} said */
  #answer(said) {
    const shown = this.review?.shown;
    if (shown) this.#act(() => api.reviewed(shown.document, said));
  }

  #back() {
    return this.#act(api.back);
  }

  async #check() {
    if (await this.#act(api.check))
      toast(
        this.review?.checking
          ? "From now on documents are drawn at random from what is unread; c ends this."
          : "The stop check has ended; reading goes on best first.",
      );
  }

  async #toggleEvidence() {
    const shown = this.review?.shown;
    if (!shown) return;
    if (!this.evidence.hidden) return this.#hideEvidence();
    const document = await attempt(api.document(shown.document));
    if (!document || this.review?.shown?.document !== shown.document) return;
    fill(
      this.evidence,
      el(
        "p",
        { class: "facts" },
        el("span", {}, `rank ${count(document.rank)}`),
        el("span", {}, `score ${score(document.score)}`),
        el("span", {}, `chance ${percent(document.chance)}`),
        el("span", {}, document.matched.length ? `holds ${document.matched.join(", ")}` : "holds no keyword"),
      ),
      reasons(document.reasons),
      legend(),
    );
    this.evidence.hidden = false;
    this.card.querySelector(".text")?.replaceWith(text(document.pieces));
    this.#expanded(true);
  }

  #hideEvidence() {
    if (!this.evidence.hidden && this.review?.shown)
      this.card.querySelector(".text")?.replaceWith(text(this.review.shown.pieces));
    this.evidence.hidden = true;
    this.#expanded(false);
  }

  /** @param {boolean} is */
  #expanded(is) {
    this.buttons.querySelector("[aria-controls=evidence]")?.setAttribute("aria-expanded", String(is));
  }
}

/** @param {Review} review */
function standing(review) {
  const all = review.read + review.left;
  return [
    el(
      "section",
      { class: "card", "aria-label": "So far" },
      el("h2", {}, "So far"),
      el("progress", {
        max: String(Math.max(1, all)),
        value: review.read,
        "aria-label": "Read so far",
        data: { test: "review-progress" },
      }),
      el(
        "p",
        { class: "tally", data: { test: "tally" } },
        el("span", {}, `${count(review.read)} of ${counted(all, "document")} read`),
        el("span", { class: "yes" }, `✓ ${count(review.relevant)} relevant`),
        el("span", { class: "no" }, `✕ ${count(review.irrelevant)} not`),
        review.unsure > 0 && el("span", {}, `? ${count(review.unsure)} unsure`),
        review.skipped > 0 && el("span", {}, `${count(review.skipped)} skipped`),
      ),
    ),
    el(
      "section",
      { class: "card", "aria-label": "May I stop?", data: { test: "advice" } },
      el("h2", {}, "May I stop?"),
      review.checking && el("p", { class: "tag" }, "stop check"),
      ...review.lines.slice(1).map((line) => el("p", {}, line.replace(/^May I stop\? /, ""))),
      review.problem && el("p", { class: "field-problem", role: "alert" }, review.problem),
    ),
  ];
}
