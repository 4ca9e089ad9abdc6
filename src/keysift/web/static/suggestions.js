/** Words to add with a click. */

import { el } from "./dom.js";
import { count } from "./numbers.js";
import { status } from "./status.js";

/** @typedef {import("./types.js").Suggestion} Suggestion */

/** @param {Suggestion[]} list @param {(word: string) => void} add */
export function suggestionList(list, add) {
  if (list.length) return el("ul", { class: "chips" }, ...list.map((one) => el("li", {}, button(one, add))));
  const none =
    status().learned === null
      ? "After learning, words that mark the best documents stand here."
      : "No other word marks the best documents.";
  return el("p", { class: "soft" }, none);
}

/** @param {Suggestion} suggestion @param {(word: string) => void} add */
function button({ word, documents, lift }, add) {
  const often =
    lift === null ? "only in the best documents" : `${lift.toFixed(1)} times as often in the best documents`;
  return el(
    "button",
    {
      type: "button",
      class: "suggestion",
      title: often,
      data: { test: "suggestion", key: `suggest ${word}` },
      onclick: () => add(word),
    },
    el("span", { "aria-hidden": "true" }, "+ "),
    el("bdi", {}, word),
    el("span", { class: "count" }, count(documents)),
  );
}
