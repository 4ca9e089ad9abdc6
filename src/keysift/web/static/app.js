/** Which screen is shown, and what is around it. */

import { line } from "./api.js";
import { dialogIsOpen } from "./dialog.js";
import { el, fill, renew } from "./dom.js";
import { showKeys, taken } from "./keyboard.js";
import { showAsk } from "./ask.js";
import { showDocuments } from "./documents.js";
import { showExport } from "./export.js";
import { showKeywords } from "./keywords.js";
import { showMap } from "./map.js";
import { showRanking } from "./ranking.js";
import { showReview } from "./review.js";
import { standing } from "./standing.js";
import { ask, listen, running, status } from "./status.js";
import { forgetErrors, toast } from "./toast.js";

/** @typedef {import("./types.js").Status} Status */
/**
 * What a screen gives back: `refresh` when the project has changed, `told` with every status, `key` for keys that no
 * field has taken, `leave` when another is shown.
 * @typedef {{ refresh?: () => void, told?: (now: Status) => void, key?: (event: KeyboardEvent) => void, leave?: () => void }} Screen
 */
/** @typedef {{ path: string, title: string, show: (root: HTMLElement) => Screen, needs: "nothing" | "corpus" | "ranking", under?: string }} Step */

/** @type {Step[]} */
const STEPS = [
  { path: "documents", title: "Documents", show: showDocuments, needs: "nothing" },
  { path: "keywords", title: "Keywords", show: showKeywords, needs: "corpus" },
  { path: "ranking", title: "Ranking", show: showRanking, needs: "ranking" },
  { path: "review", title: "Review", show: showReview, needs: "ranking" },
  { path: "export", title: "Export", show: showExport, needs: "ranking" },
  { path: "ask", title: "Answer 20", show: showAsk, needs: "ranking", under: "ranking" },
  { path: "map", title: "Map", show: showMap, needs: "ranking", under: "ranking" },
];
const NUMBERED = STEPS.filter((step) => !step.under);

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {Screen} */
let screen = {};
/** What the screen was made from: another step, or the same one that has become possible, is made anew. */
let made = "";

/** @param {Step} step */
function possible(step) {
  const { corpus, learned } = status();
  return step.needs === "nothing" || (step.needs === "corpus" ? corpus !== null : corpus !== null && learned !== null);
}

/** The step that the address names; where it names none, the one to begin with, which it names from then on. */
function wanted() {
  const path = location.hash.replace(/^#\/?/, "").split("?")[0];
  const named = STEPS.find((step) => step.path === path);
  if (named) return named;
  const { corpus, learned } = status();
  const doing = running()?.name; // where it leads is where to begin
  const first =
    learned !== null || doing === "learning" ? "ranking" : corpus || doing === "reading" ? "keywords" : "documents";
  history.replaceState(null, "", `#/${first}`);
  return /** @type {Step} */ (STEPS.find((step) => step.path === first));
}

function show() {
  const step = wanted();
  drawSteps(step);
  const key = `${step.path} ${possible(step) || (running()?.name ?? "not yet")}`;
  if (key === made) return;
  const arrived = made !== "";
  made = key;
  screen.leave?.();
  document.title = `${step.title} · keysift`;
  const main = at("main");
  main.className = step.path;
  fill(main);
  window.scrollTo(0, 0);
  screen = possible(step) ? step.show(main) : notYet(main, step);
  if (arrived && !dialogIsOpen() && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
}

/** @param {Step} now */
function drawSteps(now) {
  const items = NUMBERED.map((step, index) => {
    const here = step.path === (now.under ?? now.path);
    const open = possible(step);
    const why =
      step.needs === "corpus" || status().corpus === null ? "Open documents first" : "Learn from keywords first";
    return el(
      "li",
      {},
      el(
        "a",
        {
          href: `#/${step.path}`,
          "aria-current": here ? "step" : null,
          class: open ? "" : "later",
          title: open ? null : why,
          data: { test: `step-${step.path}` },
        },
        el("span", { class: "number", "aria-hidden": "true" }, index + 1),
        el("span", { class: "name" }, step.title),
        !open && el("span", { class: "hidden" }, ` (${why})`),
      ),
    );
  });
  renew(at("steps"), ...items);
}

/** @param {HTMLElement} main @param {Step} step @returns {Screen} */
function notYet(main, step) {
  const corpus = step.needs === "corpus" || status().corpus === null;
  const job = running();
  if (job && job.name !== "map") {
    const doing = job.name === "reading" ? "The documents are being read." : "The ranking is being made.";
    fill(
      main,
      el(
        "section",
        { class: "empty", data: { test: "not-yet" } },
        el("h1", {}, step.title),
        el("p", {}, `${doing} This screen opens by itself.`),
      ),
    );
    return {};
  }
  fill(
    main,
    el(
      "section",
      { class: "empty", data: { test: "not-yet" } },
      el("h1", {}, step.title),
      el(
        "p",
        {},
        corpus ? "No documents are open yet." : "Nothing is ranked yet: say with a few keywords what you look for.",
      ),
      el(
        "a",
        { class: "button primary", href: corpus ? "#/documents" : "#/keywords" },
        corpus ? "Choose documents" : "Write keywords",
      ),
    ),
  );
  return {};
}

/** @param {Status} now @param {Status | null} before */
function told(now, before) {
  renew(at("standing"), ...standing(now));
  const job = now.job;
  const was = before?.job?.number === job?.number ? before?.job?.state : undefined;
  const missed = before === null && now.learned === null; // it failed before anybody looked
  if (job?.state === "running" && was === undefined) forgetErrors();
  if (job?.state === "failed" && (was === "running" || missed)) toast(job.message, { bad: true });
  if (before === null) return;
  show();
  screen.told?.(now);
  if (now.revision !== before.revision) screen.refresh?.();
  if (job?.state === "cancelled" && was === "running") toast("Cancelled. What was there before is still there.");
}

let away = false;
line.addEventListener("reached", (event) => {
  const here = /** @type {CustomEvent<boolean>} */ (event).detail;
  if (here === !away) return;
  away = !here;
  const project = status()?.project;
  if (away)
    banner(
      `keysift is not running any more; start it again with keysift serve${project ? ` --project ${quoted(project)}` : ""}; nothing is lost.`,
    );
  else {
    at("banner").hidden = true;
    screen.refresh?.();
  }
});
line.addEventListener("unauthorised", () =>
  banner("This page needs its token: open the address that keysift serve printed."),
);

/** @param {string} path as a shell takes it */
const quoted = (path) => (/^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** @param {string} text */
function banner(text) {
  fill(at("banner"), text);
  at("banner").hidden = false;
}

document.addEventListener("keydown", (event) => {
  if (taken(event) || dialogIsOpen()) return;
  const step = NUMBERED[Number(event.key) - 1];
  if (step) location.hash = `#/${step.path}`;
  else if (event.key === "?") showKeys();
  else screen.key?.(event);
});
at("keys").addEventListener("click", showKeys);
at("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address is the screen's
  at("main").focus();
});
window.addEventListener("hashchange", () => {
  forgetErrors();
  if (location.hash.includes("?")) made = ""; // what the screen was asked for has changed, too
  if (status()) show();
});

listen(told);
await ask();
if (status()) show();
else {
  // Nobody answered, or not to us: the banner says which; the first answer shows the screen.
  const begin = () => status() && made === "" && show();
  listen(begin);
}
