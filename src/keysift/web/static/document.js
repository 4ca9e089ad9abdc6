/** A document as a whole, over the page. */

import { answerButtons, answerOf, badge, give } from "./answers.js";
import { api } from "./api.js";
import { openDialog } from "./dialog.js";
import { el, fill, keepFocus } from "./dom.js";
import { taken } from "./keyboard.js";
import { NoteField } from "./note.js";
import { count, percent, score } from "./numbers.js";
import { legend, reasons, text } from "./pieces.js";
import { attempt } from "./toast.js";

/** @typedef {import("./types.js").Document} Document */
/** @typedef {import("./types.js").Said} Said */

/**
 * Opens a document; `step` gives the number of the one before (-1) or after (1) it in the list, if it is from one.
 * @param {number} number
 * @param {{ step?: (by: number) => number | undefined, onanswer?: (document: number, said: Said | null) => void }} [list]
 */
export async function openDocument(number, { step, onanswer } = {}) {
  let document = await attempt(api.document(number));
  if (!document) return;
  const content = el("div", { class: "whole" });
  const note = new NoteField("document-note", "A note on this document (o)");
  const onclose = () => note.save();
  const dialog = openDialog(document.id, [content], { test: "document", wide: true, onclose });
  const title = /** @type {HTMLElement} */ (dialog.querySelector("h2"));

  /** @param {Document} next */
  const show = (next) => {
    if (next.document !== note.on?.document) note.show(next);
    document = next;
    fill(title, next.id);
    keepFocus(content, () => fill(content, ...whole(next, note, answer, step && go, goTo)));
  };
  /** @param {number} other */
  const goTo = async (other) => {
    await note.save();
    const next = await attempt(api.document(other));
    if (next) show(next);
  };
  /** @param {number} by */
  const go = (by) => {
    const other = step?.(by);
    if (other !== undefined) goTo(other);
  };
  /** @param {Said} said */
  const answer = async (said) => {
    const asked = /** @type {Document} */ (document);
    const now = await give(asked.document, asked.answer, said);
    if (now === undefined) return;
    onanswer?.(asked.document, now);
    if (document === asked) show({ ...asked, answer: now });
  };

  dialog.addEventListener("keydown", (event) => {
    if (taken(event)) return;
    const said = answerOf(event.key);
    if (said) answer(said);
    else if (event.key === "o") (event.preventDefault(), note.field.focus());
    else if (step && ["j", "ArrowRight"].includes(event.key)) go(1);
    else if (step && ["k", "ArrowLeft"].includes(event.key)) go(-1);
  });
  show(document);
}

/**
 * @param {Document} document
 * @param {NoteField} note
 * @param {(said: Said) => void} answer
 * @param {((by: number) => void) | undefined} go
 * @param {(other: number) => void} goTo
 */
function whole(document, note, answer, go, goTo) {
  return [
    standing(document),
    el("div", { class: "act" }, answerButtons(document.answer, answer), go && around(go)),
    text(document.pieces),
    legend(),
    note.element,
    document.reasons.length > 0 && part("Why it is where it is", reasons(document.reasons)),
    document.same.length > 0 && part("Documents that say the same", same(document.same, goTo)),
    document.cells.length > 0 && cells(document.cells),
  ];
}

/** @param {Document} document */
const standing = (document) =>
  el(
    "p",
    { class: "facts" },
    el("span", {}, `rank ${count(document.rank)}`),
    el("span", {}, `score ${score(document.score)}`),
    el("span", {}, `chance ${percent(document.chance)}`),
    el("span", {}, document.positive ? "above the cut" : "below the cut"),
    document.matched.length
      ? el("span", {}, `holds ${document.matched.join(", ")}`)
      : el("span", {}, "holds no keyword"),
    badge(document.answer),
  );

/** @param {(by: number) => void} go */
const around = (go) =>
  el(
    "div",
    { class: "around" },
    el("button", { type: "button", onclick: () => go(-1), data: { key: "before" } }, "← Before"),
    el("button", { type: "button", onclick: () => go(1), data: { key: "after" } }, "Next →"),
  );

/** @param {number[]} numbers @param {(other: number) => void} goTo */
const same = (numbers, goTo) =>
  el(
    "p",
    { class: "facts" },
    ...numbers
      .slice(0, 20)
      .map((number) =>
        el("button", { type: "button", class: "link", onclick: () => goTo(number) }, `document ${count(number + 1)}`),
      ),
    numbers.length > 20 && el("span", {}, `and ${count(numbers.length - 20)} more`),
  );

/** @param {import("./types.js").Cell[]} list */
export const cells = (list) =>
  el(
    "details",
    { class: "cells" },
    el("summary", {}, "All columns"),
    el(
      "dl",
      {},
      ...list.flatMap(({ name, text }) => [el("dt", { dir: "auto" }, name), el("dd", { dir: "auto" }, text)]),
    ),
  );

/** @param {string} title @param {Node} content */
const part = (title, content) => el("section", {}, el("h3", {}, title), content);
