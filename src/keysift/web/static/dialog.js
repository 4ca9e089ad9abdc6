/** A dialog over the page: Escape closes it, and the focus goes back to where it was. */

import { el } from "./dom.js";

/**
 * @param {string} title
 * @param {Node[]} content
 * @param {{ test?: string, wide?: boolean, onclose?: () => void }} [how]
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, { test = "dialog", wide = false, onclose } = {}) {
  const before = document.activeElement;
  const heading = el("h2", { id: "dialog-title", dir: "auto" }, title);
  const dialog = el(
    "dialog",
    { class: wide ? "wide" : "", "aria-labelledby": "dialog-title", data: { test } },
    el(
      "header",
      {},
      heading,
      el("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, "×"),
    ),
    el("div", { class: "body", tabindex: "0" }, ...content),
    el("div", { class: "messages" }),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // the backdrop belongs to the dialog itself
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    onclose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Whether keys belong to a dialog now. */
export const dialogIsOpen = () => document.querySelector("dialog[open]") !== null;
