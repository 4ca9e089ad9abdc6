/** Where the parts of the keyword screen stand. */

import { el } from "./dom.js";

/**
 * @param {Record<"undo" | "input" | "problem" | "chips" | "reach" | "doubts" | "table" | "learn" | "suggestions" | "history", HTMLElement>} parts
 * @param {(event: Event) => void} submit
 */
export const keywordLayout = (parts, submit) => [
  el("h1", {}, "Keywords"),
  el(
    "p",
    { class: "lead" },
    "Words that the documents you mean would hold. A few good ones are enough; what they stand for is learned from your documents.",
  ),
  el(
    "div",
    { class: "two" },
    el(
      "div",
      {},
      el(
        "section",
        { class: "card editing", "aria-label": "Your keywords" },
        el("div", { class: "adding" }, el("label", { for: "add" }, "Add keywords"), parts.undo),
        el(
          "form",
          { class: "inline", onsubmit: submit },
          parts.input,
          el("button", { type: "submit", data: { test: "add-button" } }, "Add"),
        ),
        hint(),
        parts.problem,
        parts.chips,
        parts.reach,
        parts.doubts,
      ),
      card("finding", "What each keyword finds", parts.table),
    ),
    el(
      "aside",
      {},
      el("section", { class: "card learning", "aria-label": "Learn" }, parts.learn),
      card("adding-words", "Words to add", parts.suggestions),
      card("past", "Versions", parts.history),
    ),
  ),
];

const hint = () =>
  el(
    "p",
    { class: "hint", id: "add-hint" },
    "Enter adds; paste a list with commas or lines. ",
    el("code", {}, "word:2"),
    " doubles a weight, ",
    el("code", {}, "-word"),
    " excludes, ",
    el("code", {}, "win*"),
    " takes every word that begins so.",
  );

/** @param {string} kind @param {string} title @param {HTMLElement} content */
const card = (kind, title, content) =>
  el("section", { class: `card ${kind}`, "aria-label": title }, el("h2", {}, title), content);
