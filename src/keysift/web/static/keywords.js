/** Step 2: say with a few keywords what you look for, and learn from them. */

import { api } from "./api.js";
import { chipList, spelling } from "./chips.js";
import { el, fill, focusKey, keepFocus, renew, typedInto } from "./dom.js";
import { Draft } from "./draft.js";
import { keywordLayout } from "./keyword_layout.js";
import { keywordTable } from "./keyword_table.js";
import { learnBox } from "./learn_box.js";
import { count, counted, percent } from "./numbers.js";
import { running, started, status } from "./status.js";
import { suggestionList } from "./suggestions.js";
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
    this.asking = false;
    /** What was typed, on its way to the server. @type {Promise<void>} */
    this.adding = Promise.resolve();
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
    this.reach = el("p", { class: "reach", role: "status", data: { test: "reach" } });
    this.doubts = el("ul", { class: "doubts", data: { test: "doubts" } });
    this.table = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Keyword table" });
    this.learn = el("div", { class: "learn" });
    this.suggestions = el("div", { class: "suggestions" });
    this.history = el("div", { class: "history" });
    this.undo = el(
      "button",
      {
        type: "button",
        class: "small",
        data: { test: "undo" },
        "aria-keyshortcuts": "Control+Z",
        title: "Ctrl Z",
        onclick: () => this.stepBack(),
      },
      "Undo",
    );
    fill(root, ...keywordLayout(this, (event) => (event.preventDefault(), this.add(this.input.value))));
    this.#listen();
  }

  #listen() {
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
      const typing = typedInto(event.target) !== undefined;
      if (event.key === "Enter") this.addAndStart();
      else if (event.key.toLowerCase() === "z" && !typing) event.shiftKey ? this.stepOn() : this.stepBack();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", this.shortcuts);
  }

  async begin() {
    this.#drawFound();
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
  add(text) {
    this.adding = this.#add(text);
    return this.adding;
  }

  /** @param {string} text */
  async #add(text) {
    if (!text.trim()) return;
    fill(this.problem);
    this.asking = true; // its answer holds the counts of all; to ask for them now would take it back
    const found = await this.#ask({ chips: this.draft.chips, text });
    this.asking = false;
    if (!found) return void (this.input.value = text.trim());
    this.input.value = "";
    fill(this.problem, again(this.draft.chips, found));
    if (JSON.stringify(found.chips) !== JSON.stringify(this.draft.chips)) this.draft.change(found.chips);
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
    toast(`Removed ${gone.word}.`, { undo: () => this.stepBack() });
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

  stepBack() {
    if (this.draft.undo()) this.#again();
  }

  stepOn() {
    if (this.draft.redo()) this.#again();
  }

  #again() {
    fill(this.problem);
    this.draw();
    this.match();
  }

  async match() {
    if (this.asking) return;
    const found = await this.#ask({ chips: this.draft.chips });
    if (found) this.#took(found);
  }

  /** The last question counts: an answer to one before it is not waited for. @param {import("./types.js").Keywords} keywords */
  #ask(keywords) {
    this.wait.abort();
    this.wait = new AbortController();
    return attempt(api.match(keywords, this.wait.signal), (sentence) => fill(this.problem, sentence));
  }

  /** @param {Found} found */
  #took(found) {
    this.found = found;
    if (found.learned) this.draft.adopt(found.chips);
    else this.draft.spell(found.chips);
    this.#drawFound();
  }

  /** What was typed, or is still being added, counts too. */
  async addAndStart() {
    await this.adding;
    if (this.input.value.trim()) await this.add(this.input.value);
    if (!this.input.value) this.start();
  }

  async start() {
    if (running() || !this.draft.chips.length) return;
    const job = await attempt(api.learn({ chips: this.draft.chips }));
    if (job) started(job);
  }

  draw() {
    this.undo.disabled = this.draft.past.length === 0;
    this.#drawChips();
    this.#drawLearn();
  }

  /** What only the server knows. */
  #drawFound() {
    const { found } = this;
    const all = counted(status().corpus?.documents ?? 0, "document");
    fill(this.reach, found && `${count(found.documents)} of ${all} hold a keyword (${percent(found.share)}).`);
    fill(this.doubts, ...(found?.doubts ?? []).map((doubt) => el("li", {}, doubt)));
    this.#drawTable();
    this.#drawSuggestions();
    this.draw();
  }

  #drawChips() {
    const counts = new Map((this.found?.rows ?? []).map((row) => [spelling(row.chip), row.documents]));
    const act = {
      remove: (/** @type {number} */ at) => this.remove(at),
      exclude: (/** @type {number} */ at) => this.exclude(this.draft.chips[at]),
      goTo: (/** @type {number} */ at) =>
        focusKey(this.table, `${this.draft.chips[at].excluded ? "exclude" : "weight"} ${this.draft.chips[at].word}`),
    };
    const none = "No keyword yet. Write one above: a word or a phrase that the documents you look for would hold.";
    const list = this.draft.chips.length ? chipList(this.draft.chips, counts, act) : el("p", { class: "soft" }, none);
    keepFocus(this.chips, () => renew(this.chips, list));
  }

  #drawTable() {
    const { found } = this;
    const redraw = () => this.#drawTable();
    const change = (/** @type {Chip} */ before, /** @type {Chip} */ chip) => this.replace(before, chip);
    const none = "Counts, verdicts and examples are here as soon as there is a keyword.";
    const table = found?.rows.length ? keywordTable(found.rows, { change, redraw }) : el("p", { class: "soft" }, none);
    keepFocus(this.table, () => renew(this.table, table));
  }

  #drawLearn() {
    const now = { keywords: this.draft.chips.length, same: this.found?.learned ?? false, learn: () => this.start() };
    keepFocus(this.learn, () => renew(this.learn, ...learnBox(now)));
  }

  #drawSuggestions() {
    const add = (/** @type {string} */ word) =>
      this.change([...this.draft.chips, { word, weight: 1, excluded: false }]);
    keepFocus(this.suggestions, () => renew(this.suggestions, suggestionList(this.found?.suggestions ?? [], add)));
  }

  #drawVersions() {
    const act = {
      use: (/** @type {Version} */ version) => this.change(version.chips),
      renamed: (/** @type {Version[]} */ versions) => ((this.versions = versions), this.#drawVersions()),
    };
    keepFocus(this.history, () => renew(this.history, ...versionList(this.versions, act)));
  }
}

/** What to say of keywords that were typed and are there already. @param {Chip[]} before @param {Found} found */
function again(before, { again: words, chips }) {
  if (!words.length) return null;
  const weight = (/** @type {Chip[]} */ list, /** @type {string} */ word) =>
    list.find((chip) => spelling(chip) === word)?.weight;
  const changed = words.filter((word) => weight(before, word) !== undefined && weight(before, word) !== weight(chips, word));
  const same = words.filter((word) => !changed.includes(word));
  return [
    ...changed.map((word) => `${word} has the weight ${weight(chips, word)} now.`),
    ...same.map((word) => `${word} is a keyword already; its weight is in the table.`),
  ].join(" ");
}
