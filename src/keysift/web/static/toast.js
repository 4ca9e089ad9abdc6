/** Short messages at the edge, and what becomes of errors. */

import { Refused, Unreachable } from "./api.js";
import { el } from "./dom.js";

const SHOWN = 5000;

/** @param {string} text @param {{ bad?: boolean, undo?: () => void }} [how] */
export function toast(text, { bad = false, undo } = {}) {
  const close = () => node.remove();
  const node = el(
    "div",
    { class: bad ? "toast bad" : "toast", role: bad ? "alert" : "status", data: { test: bad ? "error" : "message" } },
    el("span", {}, text),
    undo && el("button", { type: "button", class: "link", onclick: () => (close(), undo()) }, "Undo"),
    el("button", { type: "button", class: "quiet", "aria-label": "Close this message", onclick: close }, "×"),
  );
  const root = /** @type {HTMLElement} */ (document.getElementById("toasts"));
  while (root.childElementCount > 2) root.firstElementChild?.remove();
  // A modal dialog hides all else from the pointer and from screen readers, so the message goes into it.
  (document.querySelector("dialog[open] .messages") ?? root).append(node);
  if (!bad) setTimeout(close, SHOWN);
}

/** Takes errors away that are of something else than what is done now. */
export function forgetErrors() {
  for (const node of document.querySelectorAll("#toasts .toast.bad")) node.remove();
}

/**
 * Waits for work and tells what went wrong, if anything did; undefined then.
 * @template T
 * @param {Promise<T>} work
 * @param {(sentence: string) => void} [say]
 * @returns {Promise<T | undefined>}
 */
export async function attempt(work, say = (sentence) => toast(sentence, { bad: true })) {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused) say(error.message);
    else if (!(error instanceof Unreachable || aborted(error))) throw error; // the banner tells that nobody answers
    return undefined;
  }
}

/** @param {unknown} error */
const aborted = (error) => error instanceof DOMException && error.name === "AbortError";
