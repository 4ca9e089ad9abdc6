/** Keywords as chips with counts. */

import { el } from "./dom.js";
import { count } from "./numbers.js";

/** @typedef {import("./types.js").Chip} Chip */

/**
 * @param {Chip[]} chips
 * @param {Map<string, number>} counts documents of a word; those that are asked for are not there yet
 * @param {{ remove: (at: number) => void, exclude: (at: number) => void, goTo: (at: number) => void }} act
 */
export const chipList = (chips, counts, act) =>
  el(
    "ul",
    { class: "chips", "aria-label": "Keywords", data: { test: "chips" } },
    ...chips.map((chip, at) => oneChip(chip, at, counts.get(spelling(chip)), act)),
  );

/** By what a chip is known again. @param {Chip} chip */
export const spelling = (chip) => (chip.excluded ? "-" : "") + chip.word;

/**
 * @param {Chip} chip @param {number} at @param {number | undefined} documents
 * @param {{ remove: (at: number) => void, exclude: (at: number) => void, goTo: (at: number) => void }} act
 */
function oneChip(chip, at, documents, act) {
  const said = `${chip.excluded ? "not " : ""}${chip.word}`;
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.key === "Delete" || event.key === "Backspace") act.remove(at);
    else if (event.key === "-") act.exclude(at);
    else return;
    event.preventDefault();
  };
  return el(
    "li",
    { class: chip.excluded ? "chip excluded" : "chip", data: { test: "chip", word: chip.word } },
    el(
      "button",
      {
        type: "button",
        class: "word",
        title: "Weight and more",
        data: { key: `chip ${at}` },
        onclick: () => act.goTo(at),
        onkeydown: key,
      },
      chip.excluded && el("span", { class: "not" }, "not "),
      el("bdi", {}, chip.word),
      chip.weight !== 1 && el("span", { class: "times" }, ` ×${chip.weight}`),
      el("span", { class: "count", data: { test: "chip-count" } }, documents === undefined ? "…" : count(documents)),
    ),
    el(
      "button",
      {
        type: "button",
        class: "remove",
        "aria-label": `Remove ${said}`,
        data: { key: `remove ${at}` },
        onclick: () => act.remove(at),
      },
      "×",
    ),
  );
}
