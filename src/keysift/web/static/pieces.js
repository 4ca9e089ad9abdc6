/** Texts with their marks, and reasons. */

import { el } from "./dom.js";
import { signed } from "./numbers.js";

/** @typedef {import("./types.js").Piece} Piece */

const MEANS = { keyword: "keyword", raises: "raises the score", lowers: "lowers the score" };

/** @param {Piece[]} list @returns {(Node | string)[]} */
export const pieces = (list) =>
  list.map(({ text, kind }) => (kind ? el("mark", { class: kind, title: MEANS[kind] }, text) : text));

/** @param {Piece[]} list */
export const text = (list) => el("div", { class: "text", dir: "auto" }, ...pieces(list));

/** @param {import("./types.js").Reason[]} list */
export const reasons = (list) =>
  el(
    "ul",
    { class: "reasons", "aria-label": "Words that count most" },
    ...list.map(({ word, by }) =>
      el("li", { class: by >= 0 ? "up" : "down" }, el("bdi", {}, word), " ", el("span", { class: "by" }, signed(by))),
    ),
  );

/** What the marks mean. */
export const legend = () =>
  el(
    "p",
    { class: "legend" },
    ...Object.entries(MEANS).flatMap(([kind, means]) => [el("mark", { class: kind }, means), " "]),
  );
