/** Where the project stands: asked for again and again, told to whoever listens. */

import { api, Refused } from "./api.js";

/** @typedef {import("./types.js").Status} Status */
/** @typedef {import("./types.js").Job} Job */

const BUSY = 300;
const CALM = 3000;

/** @type {Status | null} */
let known = null;
/** @type {Set<(now: Status, before: Status | null) => void>} */
const listeners = new Set();
let timer = 0;
let asking = false;

/** The last that is known; the first is asked for before any screen is shown. */
export const status = () => /** @type {Status} */ (known);

/** The work that goes on, if any. */
export const running = () => (known?.job?.state === "running" ? known.job : null);

/** @param {(now: Status, before: Status | null) => void} listener */
export function listen(listener) {
  listeners.add(listener);
}

/** A status that came with another answer. @param {Status} now */
export function take(now) {
  const before = known;
  known = now;
  schedule();
  for (const listener of listeners) listener(now, before);
}

/** Work that was just started. @param {Job} job */
export function started(job) {
  if (known) take({ ...known, job });
}

/** Asks now, then at the pace of what goes on. */
export async function ask() {
  if (asking) return;
  asking = true;
  try {
    take(await api.status());
  } catch (error) {
    if (error instanceof Refused && error.code !== 401) console.warn(error.message);
    schedule();
  } finally {
    asking = false;
  }
}

function schedule() {
  clearTimeout(timer);
  if (document.hidden && !running()) return;
  timer = window.setTimeout(ask, running() ? BUSY : CALM);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask();
});
