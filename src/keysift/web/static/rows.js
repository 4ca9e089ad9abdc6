/** A document in a list. */

import { badge } from "./answers.js";
import { el } from "./dom.js";
import { count, percent, score } from "./numbers.js";
import { pieces, reasons } from "./pieces.js";

/** @typedef {import("./types.js").Row} Row */

/** @param {Row} row */
export const rowParts = (row) => [
  el("div", { class: "rank" }, el("b", {}, count(row.rank)), chance(row)),
  el(
    "div",
    { class: "what" },
    el(
      "div",
      { class: "facts" },
      el("span", { class: "id" }, el("bdi", {}, row.id)),
      el("span", {}, `score ${score(row.score)}`),
      !row.matched.length && el("span", { class: "tag" }, "no keyword"),
      badge(row.answer),
    ),
    el("div", { class: "snippet", dir: "auto" }, ...pieces(row.pieces)),
    reasons(row.reasons),
  ),
];

/** @param {Row} row */
function chance(row) {
  const bar = el("i");
  bar.style.setProperty("width", `${Math.round(row.chance * 100)}%`);
  return el(
    "span",
    { class: "chance", title: `Chance to be relevant: ${percent(row.chance)}` },
    el("span", { class: "bar", "aria-hidden": "true" }, bar),
    el("span", { class: "hidden" }, "chance "),
    percent(row.chance),
  );
}
