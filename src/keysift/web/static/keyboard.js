/** Which keys are free to mean something, and what they mean. */

import { dialogIsOpen, openDialog } from "./dialog.js";
import { el } from "./dom.js";

/** Whether a key was typed into a field, or belongs to the browser. @param {KeyboardEvent} event */
export function taken(event) {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** @type {[string, [string, string][]][]} */
const KEYS = [
  [
    "Everywhere",
    [
      ["1 … 5", "go to a step"],
      ["/", "search, or add a keyword"],
      ["?", "this list"],
      ["Esc", "close a dialog"],
    ],
  ],
  [
    "Keywords",
    [
      ["Enter", "add what was typed"],
      ["Delete", "take the focused keyword away"],
      ["−", "exclude the focused keyword, or not"],
      ["Ctrl Z", "undo"],
      ["Ctrl Shift Z", "redo"],
      ["Ctrl Enter", "learn"],
    ],
  ],
  [
    "Ranking",
    [
      ["↑ ↓ or k j", "the document before, the next"],
      ["Enter", "open it whole"],
      ["y n u", "relevant, not relevant, unsure; again takes it back"],
      ["o", "on an open document: write a note"],
      ["← →", "on the cut: move it; Home and End go to its ends"],
    ],
  ],
  [
    "Review",
    [
      ["y n u", "relevant, not relevant, unsure"],
      ["b", "back: take the last answer back"],
      ["s", "skip"],
      ["e", "evidence"],
      ["o", "write a note"],
      ["c", "begin or end a stop check"],
    ],
  ],
];

/** Shows all keys. */
export function showKeys() {
  if (dialogIsOpen()) return;
  const parts = KEYS.map(([title, keys]) =>
    el(
      "section",
      {},
      el("h3", {}, title),
      el(
        "dl",
        { class: "keys" },
        ...keys.flatMap(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)]),
      ),
    ),
  );
  openDialog("Keys", [el("div", { class: "columns" }, ...parts)], { test: "keys", wide: true });
}
