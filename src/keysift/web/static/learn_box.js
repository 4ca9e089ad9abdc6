/** The button that learns, how far it is, and the way on. */

import { el } from "./dom.js";
import { progress } from "./standing.js";
import { running, status } from "./status.js";

/**
 * @param {{ keywords: number, same: boolean, learn: () => void }} now how many keywords there are, and whether the
 *   ranking is from them
 */
export function learnBox({ keywords, same, learn }) {
  const job = running();
  const learning = job?.name === "learning" ? job : null;
  return [
    el(
      "button",
      {
        type: "button",
        class: same ? "big" : "primary big",
        disabled: job !== null || !keywords,
        data: { test: "learn", key: "learn" },
        onclick: learn,
      },
      learning ? "Learning …" : same ? "Learn again" : "Learn",
      el("kbd", { "aria-hidden": "true" }, "Ctrl ↵"),
    ),
    el("div", { class: "after" }, learning ? progress(learning) : next(keywords, same)),
  ];
}

/** @param {number} keywords @param {boolean} same */
function next(keywords, same) {
  if (same) return el("a", { href: "#/ranking", class: "button primary", data: { test: "next" } }, "See the ranking →");
  if (!keywords || status().learned === null)
    return el("p", { class: "soft" }, "Ranks every document by how well it fits, also those that hold no keyword.");
  const ranking = el("a", { href: "#/ranking" }, "ranking");
  return el("p", { class: "soft" }, "The keywords have changed since the ", ranking, " was made.");
}
