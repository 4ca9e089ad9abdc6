/** The map: documents that are alike are near each other; encircle some to read them. */

import { api } from "./api.js";
import { openDocument } from "./document.js";
import { el, fill, renew } from "./dom.js";
import { counted } from "./numbers.js";
import { Plane } from "./plane.js";
import { answerRow, open, views } from "./ranking.js";
import { rowParts } from "./rows.js";
import { progress } from "./standing.js";
import { running, started } from "./status.js";
import { attempt } from "./toast.js";
import { VirtualList } from "./virtual.js";

/** Documents that are listed at a time. */
const MOST = 500;

/** @param {HTMLElement} root @returns {import("./app.js").Screen} */
export function showMap(root) {
  /** @type {number[]} */
  let chosen = [];
  const told = el(
    "p",
    { class: "total", role: "status", data: { test: "chosen" } },
    "Draw a line around some documents to read them here.",
  );
  const note = el("p", { class: "soft method" });
  const cover = el("div", { class: "cover" });
  const plane = new Plane({ onpick: (document) => openDocument(document), onlasso: (documents) => choose(documents) });
  const list = new VirtualList({
    label: "Documents within the line, the best first",
    source: async (start, n) => {
      const answer = chosen.length ? await attempt(api.rows(chosen.slice(start, start + n))) : { rows: [] };
      return answer && { total: chosen.length, start, rows: answer.rows };
    },
    draw: rowParts,
    empty: () => [el("p", {}, "Nothing is chosen. Draw a line around a group, or zoom in and read what is in view.")],
    onopen: (_, index) => open(list, index),
    onkey: (event, row) => answerRow(list, event, row),
  });

  /** @param {number[]} documents the best first */
  const choose = (documents) => {
    chosen = documents.slice(0, MOST);
    plane.mark(documents);
    const few = documents.length ? counted(documents.length, "document") : "No document is within that line.";
    fill(told, documents.length > MOST ? `The best ${MOST} of ${few}` : few);
    list.restart();
  };
  const make = async () => {
    const job = await attempt(api.makeMap());
    if (job) started(job);
  };
  const load = async () => {
    const map = await attempt(api.map());
    if (!map) return;
    cover.hidden = map.ready;
    fill(note, map.ready ? `${counted(map.document.length, "document")}${map.method ? `, ${map.method}` : ""}` : "");
    if (map.ready) plane.set(map);
    else drawCover(cover, make);
  };

  fill(
    root,
    el("div", { class: "title" }, el("h1", {}, "Map"), views("map"), note),
    el(
      "div",
      { class: "mapped" },
      el(
        "section",
        { class: "canvas", "aria-label": "Map" },
        tools(plane, () => choose(plane.inView())),
        el("div", { class: "stage" }, plane.element, cover),
        legend(),
      ),
      el("section", { class: "listing", "aria-label": "Chosen documents" }, told, list.element),
    ),
  );
  cover.hidden = true;
  list.restart();
  load();
  return {
    refresh: () => (load(), list.refresh()),
    told: () => !cover.hidden && drawCover(cover, make),
    leave: () => (plane.end(), list.end()),
  };
}

/** @param {HTMLElement} cover @param {() => void} make */
function drawCover(cover, make) {
  const job = running();
  if (job?.name === "map") renew(cover, el("p", {}, "The map is being made; you can go on elsewhere."), progress(job));
  else
    renew(
      cover,
      el(
        "p",
        {},
        "On the map, documents that say alike things are near each other. It is made in the background, from what each document says as a whole.",
      ),
      el(
        "button",
        { type: "button", class: "primary", disabled: job !== null, data: { test: "make-map" }, onclick: make },
        "Make the map",
      ),
    );
}

/** @param {Plane} plane @param {() => void} read */
function tools(plane, read) {
  /** @param {boolean} lasso @param {string} label */
  const mode = (lasso, label) =>
    el(
      "label",
      {},
      el("input", {
        type: "radio",
        name: "mode",
        checked: plane.lassoing === lasso,
        onchange: () => (plane.lassoing = lasso),
      }),
      el("span", {}, label),
    );
  return el(
    "div",
    { class: "asking" },
    el(
      "fieldset",
      { class: "filters" },
      el("legend", { class: "hidden" }, "What dragging does"),
      mode(true, "Encircle"),
      mode(false, "Move"),
    ),
    el(
      "div",
      { class: "zoom" },
      el("button", { type: "button", "aria-label": "Zoom in", onclick: () => plane.zoom(1.5) }, "+"),
      el("button", { type: "button", "aria-label": "Zoom out", onclick: () => plane.zoom(1 / 1.5) }, "−"),
      el("button", { type: "button", onclick: () => plane.all() }, "All"),
      el("button", { type: "button", data: { test: "in-view" }, onclick: read }, "Read what is in view"),
    ),
  );
}

const legend = () =>
  el(
    "p",
    { class: "legend", data: { test: "map-legend" } },
    el(
      "span",
      { class: "ramp" },
      el("span", {}, "low score"),
      el("i", { "aria-hidden": "true" }),
      el("span", {}, "high score"),
    ),
    el("span", { class: "key ringed" }, "said yes"),
    el("span", { class: "key crossed" }, "said no"),
  );
