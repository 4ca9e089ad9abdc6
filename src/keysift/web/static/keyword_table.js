/** What is known about each keyword, with its weight to change and examples to read. */

import { spelling } from "./chips.js";
import { openDocument } from "./document.js";
import { el } from "./dom.js";
import { count, percent } from "./numbers.js";
import { pieces } from "./pieces.js";
import { toast } from "./toast.js";

/** @typedef {import("./types.js").Chip} Chip */
/** @typedef {import("./types.js").KeywordRow} KeywordRow */

const AGREEMENT =
  "How often its documents rank above documents without a keyword when this keyword is left out; 0.5 is chance. Known after learning.";
const ALONE = "Documents with this keyword and none of the others.";

/** Words whose examples are shown; they stay so when the table is made again. */
const unfolded = new Set();

/**
 * @param {KeywordRow[]} rows
 * @param {{ change: (before: Chip, chip: Chip) => void, redraw: () => void }} act
 */
export function keywordTable(rows, act) {
  const learned = rows.some((row) => row.agreement !== null);
  const heads = [
    el("th", { scope: "col" }, "Keyword"),
    el("th", { scope: "col", class: "number" }, "Weight"),
    el("th", { scope: "col" }, "Exclude"),
    el("th", { scope: "col", class: "number" }, "Documents"),
    el("th", { scope: "col", class: "number", title: ALONE }, "Alone"),
    learned && el("th", { scope: "col", class: "number", title: AGREEMENT }, "Agreement"),
    el("th", { scope: "col" }, "Verdict"),
  ];
  const width = heads.filter(Boolean).length;
  return el(
    "table",
    { class: "keywords", data: { test: "keyword-table" } },
    el("caption", { class: "hidden" }, "Keywords and what is known about them"),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...rows.flatMap((row) => tableRow(row, learned, width, act))),
  );
}

/**
 * @param {KeywordRow} row @param {boolean} learned @param {number} width
 * @param {{ change: (before: Chip, chip: Chip) => void, redraw: () => void }} act
 */
function tableRow(row, learned, width, act) {
  const { chip } = row;
  const name = spelling(chip);
  const open = unfolded.has(chip.word) && row.examples.length > 0;
  const fold = () => {
    if (!unfolded.delete(chip.word)) unfolded.add(chip.word);
    act.redraw();
  };
  const cells = [
    el(
      "th",
      { scope: "row" },
      row.examples.length > 0
        ? el(
            "button",
            {
              type: "button",
              class: "fold",
              "aria-expanded": String(open),
              title: "Examples",
              data: { key: `fold ${name}`, test: "examples" },
              onclick: fold,
            },
            el("bdi", {}, chip.word),
          )
        : el("bdi", { class: "fold" }, chip.word),
    ),
    el("td", { class: "number", data: { label: "Weight" } }, weightField(chip, act.change)),
    el(
      "td",
      { data: { label: "Exclude" } },
      el("input", {
        type: "checkbox",
        checked: chip.excluded,
        "aria-label": `Exclude ${chip.word}`,
        data: { key: `exclude ${chip.word}`, test: "exclude" },
        onchange: () => act.change(chip, { ...chip, weight: 1, excluded: !chip.excluded }),
      }),
    ),
    el(
      "td",
      { class: "number", data: { label: "Documents" } },
      count(row.documents),
      el("span", { class: "soft" }, ` ${percent(row.share)}`),
    ),
    el("td", { class: "number", data: { label: "Alone" } }, count(row.alone)),
    learned &&
      el(
        "td",
        { class: "number", data: { label: "Agreement" } },
        row.agreement === null ? "–" : row.agreement.toFixed(2),
      ),
    el("td", { class: "verdict", data: { label: "Verdict" } }, row.verdict || "–"),
  ];
  const line = el("tr", { class: chip.excluded ? "excluded" : "", data: { word: chip.word } }, ...cells);
  return open ? [line, el("tr", { class: "examples" }, el("td", { colspan: String(width) }, examples(row)))] : [line];
}

/** @param {Chip} chip @param {(before: Chip, chip: Chip) => void} change */
function weightField(chip, change) {
  const input = el("input", {
    type: "number",
    class: "weight",
    min: "0.1",
    max: "1000",
    step: "any",
    value: String(chip.weight),
    disabled: chip.excluded,
    "aria-label": `Weight of ${chip.word}`,
    data: { key: `weight ${chip.word}`, test: "weight" },
  });
  const take = () => {
    const weight = Number(input.value);
    if (weight > 0 && weight <= 1000) {
      if (weight !== chip.weight) change(chip, { ...chip, weight });
    } else {
      input.value = input.defaultValue;
      toast("A weight is a number above 0 and at most 1,000.", { bad: true });
    }
  };
  input.addEventListener("change", take);
  return input;
}

/** @param {KeywordRow} row */
const examples = (row) =>
  el(
    "ul",
    { class: "plain", "aria-label": `Documents with ${row.chip.word}` },
    ...row.examples.map((example) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", class: "example", onclick: () => openDocument(example.document) },
          el("span", { class: "id" }, el("bdi", {}, example.id)),
          el("span", { dir: "auto" }, ...pieces(example.pieces)),
        ),
      ),
    ),
  );
