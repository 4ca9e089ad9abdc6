/** A text of one's own: what the model makes of it. */

import { api } from "./api.js";
import { el, fill } from "./dom.js";
import { count, percent, score } from "./numbers.js";
import { legend, reasons, text } from "./pieces.js";
import { attempt } from "./toast.js";

export function pastedText() {
  const input = el("textarea", {
    id: "pasted",
    rows: "3",
    maxlength: "1000000",
    placeholder: "Paste a text to see its score, and why",
    data: { test: "pasted" },
  });
  const result = el("div", { class: "scored", role: "status", data: { test: "scored" } });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!input.value.trim()) return input.focus();
    const scored = await attempt(api.score(input.value), (sentence) =>
      fill(result, el("p", { class: "field-problem" }, sentence)),
    );
    if (scored) fill(result, ...shown(scored));
  };
  return el(
    "section",
    { class: "card trying", "aria-label": "Try a text" },
    el("h2", {}, "Try a text"),
    el(
      "form",
      { onsubmit: submit },
      el("label", { for: "pasted", class: "hidden" }, "A text to score"),
      input,
      el("button", { type: "submit", data: { test: "score" } }, "Score it"),
    ),
    result,
  );
}

/** @param {import("./types.js").Scored} scored */
const shown = (scored) => [
  el(
    "p",
    { class: "facts" },
    el("b", {}, scored.positive ? "Above the cut" : "Below the cut"),
    el("span", {}, `score ${score(scored.score)}`),
    el("span", {}, `chance ${percent(scored.chance)}`),
    el("span", {}, `it would be at rank ${count(scored.rank)}`),
  ),
  reasons(scored.reasons),
  text(scored.pieces),
  legend(),
];
