/** Step 3: the list of documents, the cut, and a text to try. */

import { answerOf, give } from "./answers.js";
import { api } from "./api.js";
import { CutPanel } from "./cut.js";
import { openDocument } from "./document.js";
import { Draft } from "./draft.js";
import { el, fill } from "./dom.js";
import { counted } from "./numbers.js";
import { pastedText } from "./pasted.js";
import { rowParts } from "./rows.js";
import { status } from "./status.js";
import { attempt } from "./toast.js";
import { VirtualList } from "./virtual.js";

/** @typedef {import("./types.js").Row} Row */

/** @type {[string, string, string, string][]} filter, label, meaning, what to say when there is none */
const FILTERS = [
  ["all", "All", "Every document, the best first", "No document holds that."],
  ["unmatched", "Without a keyword", "Holds none of your keywords; the best first", "Every document holds a keyword."],
  [
    "low",
    "Keyword, ranked low",
    "Holds a keyword, and yet is below the cut; the lowest first",
    "Every document with a keyword is above the cut.",
  ],
  [
    "answered",
    "Answered",
    "You have said something about it",
    "No document is answered yet: open one and press y or n, or go to Review.",
  ],
  [
    "disagreeing",
    "Disagreements",
    "You and the ranking do not agree",
    "You and the ranking agree on every answered document.",
  ],
];

/** Ranking and map are two views of one step. @param {"ranking" | "map"} here */
export const views = (here) =>
  el(
    "nav",
    { class: "views", "aria-label": "Views of the ranking" },
    el("a", { href: "#/ranking", "aria-current": here === "ranking" ? "page" : null }, "List"),
    el("a", { href: "#/map", "aria-current": here === "map" ? "page" : null, data: { test: "map-view" } }, "Map"),
  );

/** @param {HTMLElement} root @returns {import("./app.js").Screen} */
export function showRanking(root) {
  const asked = inAddress();
  const total = el("p", { class: "total", role: "status", data: { test: "total" } });
  const changed = el("p", { class: "soft", role: "status", hidden: true, data: { test: "changed" } });
  const cut = new CutPanel();
  const list = new VirtualList({
    label: "Documents, the best first",
    source: (start, n, signal) => attempt(api.ranking(start, n, asked, signal)),
    draw: rowParts,
    empty: () => nothing(asked),
    onopen: (_, index) => open(list, index),
    onkey: (event, row) => answerRow(list, event, row),
    ontotal: (n) => fill(total, counted(n, "document")),
  });
  const search = el("input", {
    type: "search",
    placeholder: "Search",
    "aria-label": "Search the documents",
    value: asked.search,
    data: { test: "search" },
  });
  const again = () => {
    keepInAddress(asked);
    list.restart();
  };
  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      asked.search = search.value;
      again();
    }, 200);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") (event.preventDefault(), list.element.focus());
  });

  fill(
    root,
    el("div", { class: "title" }, el("h1", {}, "Ranking"), views("ranking"), total, changed),
    el(
      "div",
      { class: "ranked" },
      el(
        "section",
        { class: "listing", "aria-label": "Documents" },
        el("div", { class: "asking" }, filters(asked, again), search),
        list.element,
      ),
      el("aside", {}, cut.element, pastedText()),
    ),
  );
  list.restart();
  cut.load();
  tellChanged(changed);
  return {
    refresh: () => {
      list.refresh();
      cut.load();
      tellChanged(changed);
    },
    key: (event) => {
      if (event.key === "/") (event.preventDefault(), search.focus());
      else if (["j", "k", "ArrowDown", "ArrowUp"].includes(event.key) && !(event.target instanceof SVGElement))
        (event.preventDefault(), list.element.focus());
    },
    leave: () => {
      clearTimeout(timer);
      list.end();
      cut.end();
    },
  };
}

/** Says so where keywords were changed here and not learned yet: the list is not of them. @param {HTMLElement} line */
async function tellChanged(line) {
  const { chips, kept } = new Draft(status().project);
  const found = kept && chips.length ? await attempt(api.match({ chips, text: "" }), () => {}) : undefined;
  line.hidden = found === undefined || found.learned;
  fill(line, "Your keywords have changed since; ", el("a", { href: "#/keywords" }, "learn from them"), " to see it here.");
}

/** @param {VirtualList} list @param {number} index */
export function open(list, index) {
  const row = list.row(index);
  if (!row) return;
  let at = index;
  openDocument(row.document, {
    step: (by) => {
      const next = list.row(at + by);
      if (!next) return undefined;
      at += by;
      list.activate(at); // the pages around it come into view, and so the next can be stepped to
      return next.document;
    },
    onanswer: (document, answer) => list.change(document, { answer }),
  });
}

/** @param {VirtualList} list @param {KeyboardEvent} event @param {Row} row */
export async function answerRow(list, event, row) {
  const said = answerOf(event.key);
  if (!said) return;
  event.preventDefault();
  const answer = await give(row.document, row.answer, said);
  if (answer !== undefined) list.change(row.document, { answer });
}

/** @param {{ filter: string, search: string }} asked @param {() => void} again */
const filters = (asked, again) =>
  el(
    "fieldset",
    { class: "filters", data: { test: "filters" } },
    el("legend", { class: "hidden" }, "Which documents"),
    ...FILTERS.map(([filter, label, means]) =>
      el(
        "label",
        { title: means },
        el("input", {
          type: "radio",
          name: "filter",
          value: filter,
          checked: asked.filter === filter,
          onchange: () => ((asked.filter = filter), again()),
        }),
        el("span", {}, label),
      ),
    ),
  );

/** @param {{ filter: string, search: string }} asked */
function nothing(asked) {
  const shown = asked.filter === "disagreeing" && !status().answers ? "answered" : asked.filter;
  const [, label, , why] = FILTERS.find(([filter]) => filter === shown) ?? FILTERS[0];
  if (asked.search)
    return [
      el(
        "p",
        {},
        `Nothing found for “${asked.search}”${asked.filter === "all" ? "" : ` in “${label}”`}. Search for less, or among all documents.`,
      ),
    ];
  return [el("p", {}, why)];
}

/** What the address asks for, so that a reload and the way back show the same. */
function inAddress() {
  const params = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const filter = params.get("filter") ?? "all";
  return { filter: FILTERS.some(([known]) => known === filter) ? filter : "all", search: params.get("search") ?? "" };
}

/** @param {{ filter: string, search: string }} asked */
function keepInAddress({ filter, search }) {
  const params = new URLSearchParams();
  if (filter !== "all") params.set("filter", filter);
  if (search) params.set("search", search);
  history.replaceState(null, "", `#/ranking${params.size ? `?${params}` : ""}`);
}
