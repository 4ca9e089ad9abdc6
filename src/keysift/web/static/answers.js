/** What somebody says of a document. */

import { api } from "./api.js";
import { el } from "./dom.js";
import { take } from "./status.js";
import { attempt } from "./toast.js";

/** @typedef {import("./types.js").Said} Said */

/** @type {{ said: Said, key: string, label: string, sign: string }[]} */
export const ANSWERS = [
  { said: "y", key: "y", label: "Relevant", sign: "✓" },
  { said: "n", key: "n", label: "Not relevant", sign: "✕" },
  { said: "unsure", key: "u", label: "Unsure", sign: "?" },
];

/** @param {Said | null} said */
export function badge(said) {
  const answer = ANSWERS.find((one) => one.said === said);
  return answer ? el("span", { class: `badge ${answer.said}` }, `${answer.sign} ${answer.label}`) : null;
}

/** The answer that a key gives, if it gives one. @param {string} key */
export const answerOf = (key) => ANSWERS.find((answer) => answer.key === key)?.said;

/**
 * A button an answer; that of the answer that is there is pressed.
 * @param {Said | null} now
 * @param {(said: Said) => void} onanswer
 */
export const answerButtons = (now, onanswer) =>
  el(
    "div",
    { class: "answers", role: "group", "aria-label": "Your answer" },
    ...ANSWERS.map(({ said, key, label, sign }) =>
      el(
        "button",
        {
          type: "button",
          class: `answer ${said}`,
          "aria-pressed": String(now === said),
          "aria-keyshortcuts": key,
          data: { test: `answer-${said}`, key: `answer-${said}` },
          onclick: () => onanswer(said),
        },
        el("span", { "aria-hidden": "true" }, sign),
        ` ${label} `,
        el("kbd", { "aria-hidden": "true" }, key),
      ),
    ),
  );

/**
 * Keeps an answer; the same again takes it back. The answer that counts then, or undefined where it was refused.
 * @param {number} document
 * @param {Said | null} now
 * @param {Said} said
 * @returns {Promise<Said | null | undefined>}
 */
export async function give(document, now, said) {
  const next = now === said ? null : said;
  const status = await attempt(api.answer(document, next));
  if (!status) return undefined;
  take(status);
  return next;
}
