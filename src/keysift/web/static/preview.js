/** A file before it is opened: columns to choose, counts, oddities, the first rows. */

import { el } from "./dom.js";
import { count, counted } from "./numbers.js";
import { running, status } from "./status.js";

/** @typedef {import("./types.js").Preview} Preview */
/** @typedef {import("./types.js").Look} Look */

/**
 * @param {Preview} seen
 * @param {(look: Look) => void} see looks again, with other columns
 * @param {(look: Look) => void} open
 */
export function preview(seen, see, open) {
  const look = { file: seen.file, text: seen.text, id: seen.id };
  return [
    el(
      "div",
      { class: "head" },
      el("h2", { dir: "auto" }, seen.file),
      el("div", { data: { part: "open" } }, openButton(seen, open)),
    ),
    figures(seen),
    seen.oddities.length > 0 && oddities(seen.oddities),
    seen.columns.length > 1 && columns(seen, look, see),
    seen.columns.length > 1 ? rows(seen) : null,
    texts(seen),
  ];
}

/** What opens the file: the next step, until it is done. @param {Preview} seen @param {(look: Look) => void} open */
export function openButton(seen, open) {
  const look = { file: seen.file, text: seen.text, id: seen.id };
  return el(
    "button",
    {
      type: "button",
      class: isOpen(look) ? "" : "primary",
      disabled: running() !== null || seen.documents === 0,
      data: { test: "open", key: "open" },
      onclick: () => open(look),
    },
    isOpen(look) ? "Read it again" : `Open ${counted(seen.documents, "document")}`,
  );
}

/** @param {Look} look */
function isOpen({ file, text, id }) {
  const { corpus } = status();
  return corpus !== null && corpus.file === file && corpus.id === id && corpus.text.join("\n") === text?.join("\n");
}

/** @param {Preview} seen */
const figures = ({ documents, empty, duplicates, language, lengths }) =>
  el(
    "dl",
    { class: "tiles", data: { test: "counts" } },
    ...tile("documents", count(documents)),
    ...tile("empty", count(empty)),
    ...tile("duplicates", count(duplicates)),
    ...tile("language", language || "not clear"),
    ...tile(
      "words, median",
      count(lengths.median),
      `shortest ${count(lengths.shortest)}, longest ${count(lengths.longest)}`,
    ),
  );

/** @param {string} name @param {string} value @param {string} [more] */
const tile = (name, value, more) => [
  el("div", { class: "tile" }, el("dt", {}, name), el("dd", {}, value), more && el("dd", { class: "more" }, more)),
];

/** @param {import("./types.js").Oddity[]} list */
const oddities = (list) =>
  el(
    "section",
    { class: "oddities", data: { test: "oddities" } },
    el("h3", {}, "Worth a look"),
    el(
      "ul",
      {},
      ...list.map(({ message, rows }) =>
        el(
          "li",
          {},
          message,
          rows.length > 0 &&
            el("span", { class: "soft" }, ` ${rows.length === 1 ? "Row" : "Rows"} ${rows.map(count).join(", ")}`),
        ),
      ),
    ),
  );

/**
 * @param {Preview} seen @param {Look} look @param {(look: Look) => void} see
 */
function columns(seen, look, see) {
  /** @param {string} name @param {boolean} on */
  const toggle = (name, on) => {
    const text = seen.columns.filter((column) => (column === name ? on : seen.text.includes(column)));
    see({ ...look, text: text.length ? text : null });
  };
  const boxes = seen.columns.map((name) =>
    el(
      "label",
      { class: "check" },
      el("input", {
        type: "checkbox",
        checked: seen.text.includes(name),
        data: { key: `column ${name}`, test: "column" },
        onchange: (/** @type {Event} */ event) => toggle(name, /** @type {HTMLInputElement} */ (event.target).checked),
      }),
      el("span", { dir: "auto" }, name),
    ),
  );
  const id = el(
    "select",
    {
      data: { key: "id", test: "id" },
      onchange: (/** @type {Event} */ event) =>
        see({ ...look, id: /** @type {HTMLSelectElement} */ (event.target).value || null }),
    },
    el("option", { value: "" }, "row numbers"),
    ...seen.columns.map((name) => el("option", { value: name, selected: name === seen.id }, name)),
  );
  return el(
    "div",
    { class: "choose" },
    el("fieldset", {}, el("legend", {}, "Columns to read, joined"), ...boxes),
    el("label", { class: "field" }, "Known by ", id),
  );
}

/** @param {Preview} seen */
const rows = (seen) =>
  el(
    "details",
    { class: "table", open: true },
    el("summary", {}, "First rows"),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "First rows" },
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...seen.columns.map((name) =>
              el(
                "th",
                { scope: "col", dir: "auto", class: seen.text.includes(name) ? "read" : "" },
                name,
                seen.text.includes(name) && el("span", { class: "tag" }, "read"),
              ),
            ),
          ),
        ),
        el(
          "tbody",
          {},
          ...seen.rows.map((row) =>
            el(
              "tr",
              {},
              ...row.map((cell, at) =>
                el(
                  "td",
                  { dir: "auto", class: seen.text.includes(seen.columns[at]) ? "read" : "" },
                  el("div", { class: "cell" }, cell),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );

/** @param {Preview} seen */
const texts = (seen) =>
  el(
    "details",
    { class: "texts", open: seen.columns.length <= 1 },
    el("summary", {}, "What would be read of them"),
    el(
      "ol",
      {},
      ...seen.texts.map((text) => el("li", { dir: "auto" }, text || el("span", { class: "soft" }, "(empty)"))),
    ),
  );
