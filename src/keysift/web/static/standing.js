/** The line under the steps: what is open, or how far the work is. It is always there, so that nothing moves. */

import { api } from "./api.js";
import { el } from "./dom.js";
import { count, counted } from "./numbers.js";
import { take } from "./status.js";
import { attempt } from "./toast.js";

/** @typedef {import("./types.js").Status} Status */
/** @typedef {import("./types.js").Job} Job */

const NAMES = { reading: "Reading", learning: "Learning", map: "Map" };

/** @param {Status} now */
export function standing(now) {
  return now.job?.state === "running" ? working(now.job) : resting(now);
}

/** @param {Status} now */
function resting({ corpus, keywords, answers }) {
  if (!corpus) return [el("span", { class: "soft" }, "No documents are open.")];
  return [
    el("b", { dir: "auto" }, corpus.file),
    el("span", {}, counted(corpus.documents, "document")),
    keywords
      ? el("span", { class: "cutoff", dir: "auto", title: keywords }, keywords)
      : el("span", { class: "soft" }, "nothing learned yet"),
    answers > 0 && el("span", {}, counted(answers, "answer")),
  ];
}

/** @param {Job} job */
const working = (job) => [progress(job), cancel(job)];

/** How far a job is, in words and as a bar. @param {Job} job */
export function progress(job) {
  const done = Math.round(job.done * 100);
  const bar = el("progress", { max: "100", value: done, "aria-label": NAMES[job.name], data: { test: "progress" } });
  return el(
    "span",
    { class: "working" },
    el("b", {}, NAMES[job.name]),
    bar,
    el("span", { class: "share" }, `${count(done)} %`),
    el("span", { class: "cutoff", "aria-live": "polite" }, job.stage),
  );
}

/** @param {Job} job */
const cancel = (job) =>
  el(
    "button",
    {
      type: "button",
      class: "small cancel",
      "aria-label": `Cancel: ${NAMES[job.name].toLowerCase()}`,
      data: { test: "cancel" },
      onclick: async () => {
        const now = await attempt(api.cancel());
        if (now) take(now);
      },
    },
    "Cancel",
  );
