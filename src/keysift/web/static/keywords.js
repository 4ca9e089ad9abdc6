/** Step 2: say with a few keywords what you look for, and learn from them. */

import { api } from "./api.js";
import { chipList, spelling } from "./chips.js";
import { el, fill, focusKey, keepFocus } from "./dom.js";
import { Draft } from "./draft.js";
import { keywordTable } from "./keyword_table.js";
import { count, counted, percent } from "./numbers.js";
import { progress } from "./standing.js";
import { running, started, status } from "./status.js";
import { attempt, toast } from "./toast.js";
import { versionList } from "./versions.js";

/** @typedef {import("./types.js").Chip} Chip */
/** @typedef {import("./types.js").Found} Found */
/** @typedef {import("./types.js").Version} Version */

/** Those of this visit; they stay while other screens are shown. @type {Draft | null} */
let draft = null;

/** @param {HTMLElement} root @returns {import("./app.js").Screen} */
export function showKeywords(root) {
  const screen = new KeywordScreen(root);
  screen.begin();
  return screen;
}

class KeywordScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.draft = draft ??= new Draft(status().project);
    /** @type {Found | null} */
    this.found = null;
    /** @type {Version[]} */
    this.versions = [];
    this.wait = new AbortController();
    this.input = el("input", {
      id: "add",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: this.draft.chips.length ? "another keyword" : "hockey, ice hockey:2, -tax",
      "aria-describedby": "add-hint add-problem",
      data: { test: "add", key: "add" },
    });
    this.problem = el("p", { class: "field-problem", id: "add-problem", role: "alert" });
    this.chips = el("div", { class: "chip-area" });
    this.told_ = el("p", { class: "reach", role: "status", data: { test: "reach" } });
    this.doubts = el("ul", { class: "doubts", data: { test: "doubts" } });
    this.table = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Keyword table" });
    this.learnBox = el("div", { class: "learn" });
    this.suggestions = el("div", { class: "suggestions" });
    this.history = el("div", { class: "history" });
    this.undoButton = el("button", { type: "button", class: "small", data: { test: "undo" }, "aria-keyshortcuts": "Control+Z", title: "Ctrl Z", onclick: () => this.undo() }, "Undo");
    this.#lay(root);
    this.#listen(root);
  }

  /** @param {HTMLElement} root */
  #lay(root) {
    fill(
      root,
      el("h1", {}, "Keywords"),
      el("p", { class: "lead" }, "Words that the documents you mean would hold. A few good ones are enough; what they stand for is learned from your documents."),
      el(
        "div",
        { class: "two" },
        el(
          "div",
          {},
          el(
            "section",
            { class: "card editing", "aria-label": "Your keywords" },
            el("div", { class: "adding" }, el("label", { for: "add" }, "Add keywords"), this.undoButton),
            el("form", { class: "inline", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.add(this.input.value)) }, this.input, el("button", { type: "submit", data: { test: "add-button" } }, "Add")),
            el("p", { class: "hint", id: "add-hint" }, "Enter adds; paste a list with commas or lines. ", el("code", {}, "word:2"), " doubles a weight, ", el("code", {}, "-word"), " excludes, ", el("code", {}, "win*"), " takes every word that begins so."),
            this.problem,
            this.chips,
            this.told_,
            this.doubts,
          ),
          el("section", { class: "card finding", "aria-label": "What each keyword finds" }, el("h2", {}, "What each keyword finds"), this.table),
        ),
        el(
          "aside",
          {},
          el("section", { class: "card learning", "aria-label": "Learn" }, this.learnBox),
          el("section", { class: "card adding-words", "aria-label": "Words to add" }, el("h2", {}, "Words to add"), this.suggestions),
          el("section", { class: "card past", "aria-label": "Versions" }, el("h2", {}, "Versions"), this.history),
        ),
      ),
    );
  }

  /** @param {HTMLElement} root */
  #listen(root) {
    this.input.addEventListener("paste", (event) => {
      const pasted = event.clipboardData?.getData("text") ?? "";
      if (!/[\n,;]/.test(pasted.trim())) return;
      event.preventDefault();
      this.add(`${this.input.value} ${pasted}`);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Backspace" && !this.input.value) focusKey(this.chips, `chip ${this.draft.chips.length - 1}`);
    });
    this.shortcuts = (/** @type {KeyboardEvent} */ event) => {
      if (!(event.ctrlKey || event.metaKey) || document.querySelector("dialog[open]")) return;
      const field = event.target instanceof HTMLInputElement && event.target.type !== "checkbox" && event.target.value && event.target !== this.input;
      const typing = field || (event.target === this.input && this.input.value !== "");
      if (event.key === "Enter") this.learn();
      else if (event.key.toLowerCase() === "z" && !typing) event.shiftKey ? this.redo() : this.undo();
      else return;
      event.preventDefault();
    };
    root.ownerDocument.addEventListener("keydown", this.shortcuts);
  }

  async begin() {
    this.draw();
    if (!this.draft.chips.length) this.input.focus({ preventScroll: true });
    await this.#loadVersions();
    if (!this.draft.kept) await this.#adopt();
    await this.match();
  }

  async #loadVersions() {
    this.versions = (await attempt(api.versions())) ?? this.versions;
    this.#drawVersions();
  }

  /** The keywords of the ranking, where nobody has written others here. */
  async #adopt() {
    const { learned, keywords } = status();
    const version = this.versions.find((one) => one.number === learned) ?? this.versions.at(-1);
    if (version) this.draft.adopt(version.chips);
    else if (keywords) this.draft.adopt((await attempt(api.match({ chips: [], text: keywords })))?.chips ?? []);
  }

  async refresh() {
    const same = this.found?.learned ?? false;
    await this.#loadVersions();
    if (same && !running() && !this.#isLearned()) await this.#adopt(); // another browser learned from others
    await this.match();
  }

  #isLearned() {
    const version = this.versions.find((one) => one.number === status().learned);
    return JSON.stringify(version?.chips) === JSON.stringify(this.draft.chips);
  }

  told() {
    this.#drawLearn();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "/") return;
    event.preventDefault();
    this.input.focus();
  }

  leave() {
    this.wait.abort();
    document.removeEventListener("keydown", /** @type {any} */ (this.shortcuts));
  }

  /** @param {string} text */
  async add(text) {
    if (!text.trim()) return;
    fill(this.problem);
    const found = await attempt(api.match({ chips: this.draft.chips, text }), (sentence) => {
      this.input.value = text.trim();
      fill(this.problem, sentence);
    });
    if (!found) return;
    this.input.value = "";
    this.draft.change(found.chips);
    this.#took(found);
  }

  /** @param {Chip[]} chips */
  change(chips) {
    fill(this.problem);
    this.draft.change(chips);
    this.draw();
    this.match();
  }

  /** @param {number} at */
  remove(at) {
    const gone = this.draft.chips[at];
    this.change(this.draft.chips.filter((_, place) => place !== at));
    const left = this.draft.chips.length;
    if (left) focusKey(this.chips, `chip ${Math.min(at, left - 1)}`);
    else this.input.focus();
    toast(`Removed ${gone.word}.`, { undo: () => this.undo() });
  }

  /** @param {Chip} before @param {Chip} chip */
  replace(before, chip) {
    const known = spelling(before);
    this.change(this.draft.chips.map((one) => (spelling(one) === known ? chip : one)));
  }

  /** @param {Chip} chip */
  exclude(chip) {
    this.replace(chip, { ...chip, weight: 1, excluded: !chip.excluded });
  }

  undo() {
    if (this.draft.undo()) this.#again();
  }

  redo() {
    if (this.draft.redo()) this.#again();
  }

  #again() {
    fill(this.problem);
    this.draw();
    this.match();
  }

  async match() {
    this.wait.abort();
    this.wait = new AbortController();
    if (!this.draft.chips.length) {
      this.found = null;
      this.draw();
      return;
    }
    const found = await attempt(api.match({ chips: this.draft.chips }, this.wait.signal), (sentence) => fill(this.problem, sentence));
    if (found) this.#took(found);
  }

  /** @param {Found} found */
  #took(found) {
    this.found = found;
    if (found.learned) this.draft.adopt(found.chips);
    else this.draft.spell(found.chips);
    this.draw();
  }

  async learn() {
    if (running() || !this.draft.chips.length) return;
    const job = await attempt(api.learn({ chips: this.draft.chips }));
    if (job) started(job);
  }

  draw() {
    this.undoButton.disabled = this.draft.past.length === 0;
    keepFocus(this.chips, () => this.#drawChips());
    keepFocus(this.table, () => this.#drawTable());
    keepFocus(this.learnBox, () => this.#drawLearn());
    keepFocus(this.suggestions, () => this.#drawSuggestions());
    const { found } = this;
    fill(this.told_, found ? `${count(found.documents)} of ${counted(status().corpus?.documents ?? 0, "document")} hold a keyword (${percent(found.share)}).` : "");
    fill(this.doubts, ...(found?.doubts ?? []).map((doubt) => el("li", {}, doubt)));
  }

  #drawChips() {
    const counts = new Map((this.found?.rows ?? []).map((row) => [spelling(row.chip), row.documents]));
    const act = {
      remove: (/** @type {number} */ at) => this.remove(at),
      exclude: (/** @type {number} */ at) => this.exclude(this.draft.chips[at]),
      goTo: (/** @type {number} */ at) => focusKey(this.table, `${this.draft.chips[at].excluded ? "exclude" : "weight"} ${this.draft.chips[at].word}`),
    };
    fill(this.chips, this.draft.chips.length ? chipList(this.draft.chips, counts, act) : el("p", { class: "soft" }, "No keyword yet. Write one above: a word or a phrase that the documents you look for would hold."));
  }

  #drawTable() {
    const { found } = this;
    const redraw = () => keepFocus(this.table, () => this.#drawTable());
    const change = (/** @type {Chip} */ before, /** @type {Chip} */ chip) => this.replace(before, chip);
    fill(this.table, found?.rows.length ? keywordTable(found.rows, { change, redraw }) : el("p", { class: "soft" }, "Counts, verdicts and examples are here as soon as there is a keyword."));
  }

  #drawLearn() {
    const job = running();
    const learning = job?.name === "learning" ? job : null;
    const same = this.found?.learned ?? false;
    fill(
      this.learnBox,
      el("button", { type: "button", class: same ? "big" : "primary big", disabled: job !== null || !this.draft.chips.length, data: { test: "learn", key: "learn" }, onclick: () => this.learn() }, learning ? "Learning …" : same ? "Learn again" : "Learn", el("kbd", { "aria-hidden": "true" }, "Ctrl ↵")),
      el("div", { class: "after" }, learning ? progress(learning) : this.#next(same)),
    );
  }

  /** @param {boolean} same */
  #next(same) {
    if (same) return el("a", { href: "#/ranking", class: "button primary", data: { test: "next" } }, "See the ranking →");
    if (!this.draft.chips.length) return el("p", { class: "soft" }, "Ranks every document by how well it fits your keywords, also those that hold none.");
    if (status().learned === null) return el("p", { class: "soft" }, "Ranks every document by how well it fits, also those that hold no keyword.");
    return el("p", { class: "soft" }, "The keywords have changed since the ", el("a", { href: "#/ranking" }, "ranking"), " was made.");
  }

  #drawSuggestions() {
    const { found } = this;
    if (!found?.suggestions.length) {
      const none = status().learned === null || !found ? "After learning, words that mark the best documents stand here." : "No other word marks the best documents.";
      fill(this.suggestions, el("p", { class: "soft" }, none));
      return;
    }
    const buttons = found.suggestions.map(({ word, documents, lift }) =>
      el("li", {}, el("button", { type: "button", class: "suggestion", title: lift === null ? "only in the best documents" : `${lift.toFixed(1)} times as often in the best documents`, data: { test: "suggestion", key: `suggest ${word}` }, onclick: () => this.change([...this.draft.chips, { word, weight: 1, excluded: false }]) }, el("span", { "aria-hidden": "true" }, "+ "), el("bdi", {}, word), el("span", { class: "count" }, count(documents)))),
    );
    fill(this.suggestions, el("ul", { class: "chips" }, ...buttons));
  }

  #drawVersions() {
    const act = {
      use: (/** @type {Version} */ version) => this.change(version.chips),
      renamed: (/** @type {Version[]} */ versions) => ((this.versions = versions), this.#drawVersions()),
    };
    keepFocus(this.history, () => fill(this.history, ...versionList(this.versions, act)));
  }
}
