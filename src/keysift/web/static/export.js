/** Step 5: everything to take along, and how to do it again without the page. */

import { api, download } from "./api.js";
import { el, fill } from "./dom.js";
import { attempt, toast } from "./toast.js";

/** @type {[string, string, [string, string][]][]} */
const FILES = [
  [
    "The ranking",
    "Every document with rank, score, chance, decision and reasons.",
    [
      ["ranking.csv", "CSV"],
      ["ranking.xlsx", "Excel"],
      ["ranking.parquet", "Parquet"],
      ["ranking.jsonl", "JSON lines"],
    ],
  ],
  [
    "The report",
    "One page with the figures, the cut, the keywords and the best documents, to read or to send.",
    [["report.html", "Report"]],
  ],
  [
    "The model",
    "Scores new documents: keysift score, or keysift.load in Python. It is data, not code: safe to pass on.",
    [["model.keysift", "Model"]],
  ],
  ["Your answers", "What you said about each document, with notes.", [["answers.csv", "CSV"]]],
];

/** @param {HTMLElement} root @returns {import("./app.js").Screen} */
export function showExport(root) {
  const repeat = el("div", { class: "repeat" });
  const load = async () => {
    const lines = await attempt(api.repeat());
    if (lines) fill(repeat, code("In a terminal", lines.shell, "shell"), code("In Python", lines.python, "python"));
  };
  fill(
    root,
    el("h1", {}, "Export"),
    el("p", { class: "lead" }, "All of it is in the project folder too; closing this page loses nothing."),
    el("div", { class: "takings" }, ...FILES.map(taking)),
    el("section", {}, el("h2", {}, "Do all of it again without this page"), repeat),
  );
  load();
  return { refresh: load };
}

/** @param {[string, string, [string, string][]]} what */
const taking = ([title, says, files]) =>
  el(
    "section",
    { class: "card", "aria-label": title },
    el("h2", {}, title),
    el("p", { class: "soft" }, says),
    el(
      "p",
      { class: "links" },
      ...files.map(([name, label]) =>
        el(
          "a",
          { class: "button", href: download(name), download: name, title: name, data: { test: name } },
          `↓ ${label}`,
        ),
      ),
    ),
  );

/** Lines break between words, and never within an option such as --text. @param {string} text */
const words = (text) => text.split(/(\s+)/).map((part) => (part.trim() ? el("span", { class: "word" }, part) : part));

/** @param {string} title @param {string} text @param {string} test */
function code(title, text, test) {
  const lines = el("code", {}, ...words(text));
  return el(
    "figure",
    { class: "code", data: { test } },
    el(
      "figcaption",
      {},
      title,
      el(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": `Copy: ${title.toLowerCase()}`,
          onclick: () => copy(text, lines),
        },
        "Copy",
      ),
    ),
    el("pre", { tabindex: "0", "aria-label": title }, lines),
  );
}

/** @param {string} text @param {Node} shown */
async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  } catch {
    // Browsers give the clipboard only to safe addresses; what is selected can be copied everywhere.
    getSelection()?.selectAllChildren(shown);
    toast("Selected; Ctrl C copies it.");
  }
}
