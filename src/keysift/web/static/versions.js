/** Keywords that were learned from, by name, and what changed from one to another. */

import { api } from "./api.js";
import { openDialog } from "./dialog.js";
import { openDocument } from "./document.js";
import { el } from "./dom.js";
import { count, counted, when } from "./numbers.js";
import { status } from "./status.js";
import { attempt } from "./toast.js";

/** @typedef {import("./types.js").Version} Version */
/** @typedef {import("./types.js").Moved} Moved */

/**
 * @param {Version[]} versions
 * @param {{ use: (version: Version) => void, renamed: (versions: Version[]) => void }} act
 */
export function versionList(versions, act) {
  if (!versions.length)
    return [
      el(
        "p",
        { class: "soft" },
        "Every time you learn, the keywords are kept here, so that you can go back to them and compare.",
      ),
    ];
  const newest = [...versions].sort((a, b) => b.number - a.number);
  const ranked = newest.filter((version) => version.ranked);
  return [
    el("ol", { class: "plain versions", data: { test: "versions" } }, ...newest.map((version) => one(version, act))),
    ranked.length > 1 && comparison(ranked),
  ];
}

/** @param {Version} version @param {{ use: (version: Version) => void, renamed: (versions: Version[]) => void }} act */
function one(version, act) {
  const now = version.number === status().learned;
  const name = el("input", {
    class: "plain",
    value: version.name,
    placeholder: `Version ${version.number}`,
    maxlength: "200",
    "aria-label": `Name of version ${version.number}`,
    data: { key: `name ${version.number}`, test: "version-name" },
    onchange: async () => {
      const versions = await attempt(api.rename(version.number, name.value.trim()));
      if (versions) act.renamed(versions);
    },
  });
  return el(
    "li",
    { class: now ? "now" : "" },
    el(
      "div",
      { class: "line" },
      name,
      el("span", { class: "soft" }, now ? "now" : when(version.at)),
      el(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": `Use the keywords of ${named(version)}`,
          data: { key: `use ${version.number}`, test: "use" },
          onclick: () => act.use(version),
        },
        "Use",
      ),
    ),
    el("div", { class: "soft cutoff", dir: "auto", title: version.keywords }, version.keywords),
  );
}

/** @param {Version} version */
const named = (version) => version.name || `version ${version.number}`;

/** @param {Version[]} ranked newest first */
function comparison(ranked) {
  /** @param {string} label @param {Version} first */
  const choice = (label, first) =>
    el(
      "select",
      { "aria-label": label, data: { key: label } },
      ...ranked.map((version) =>
        el("option", { value: String(version.number), selected: version === first }, named(version)),
      ),
    );
  const before = choice("Version before", ranked[1]);
  const after = choice("Version after", ranked[0]);
  const compare = async () => {
    const changes = await attempt(api.changes(Number(before.value), Number(after.value)));
    if (changes) showChanges(changes);
  };
  return el(
    "div",
    { class: "compare" },
    before,
    el("span", { "aria-hidden": "true" }, "→"),
    after,
    el("button", { type: "button", data: { test: "compare" }, onclick: compare }, "Compare"),
  );
}

/** @param {import("./types.js").Changes} changes */
function showChanges(changes) {
  const { before, after, top } = changes;
  openDialog(
    `${named(before)} → ${named(after)}`,
    [
      el("p", { class: "soft", dir: "auto" }, `${before.keywords} → ${after.keywords}`),
      el(
        "dl",
        { class: "tiles" },
        tile(`entered the top ${count(top)}`, count(changes.entered.length)),
        tile(`left the top ${count(top)}`, count(changes.left.length)),
        tile("now above the cut", count(changes.now_positive)),
        tile("now below the cut", count(changes.now_negative)),
        tile("correlation of the ranks", changes.correlation.toFixed(2)),
      ),
      moves(`Entered the top ${count(top)}`, changes.entered),
      moves(`Left the top ${count(top)}`, changes.left),
      moves("Decided otherwise now", changes.changed),
    ],
    { test: "changes", wide: true },
  );
}

/** @param {string} name @param {string} value */
const tile = (name, value) => el("div", { class: "tile" }, el("dt", {}, name), el("dd", {}, value));

/** @param {string} title @param {Moved[]} list */
const moves = (title, list) =>
  el(
    "details",
    { open: list.length > 0 },
    el("summary", {}, `${title}: ${counted(list.length, "document")}`),
    el(
      "ul",
      { class: "plain" },
      ...list.map((moved) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "example", onclick: () => openDocument(moved.document) },
            el("span", { class: "id" }, `${count(moved.before)} → ${count(moved.after)}`),
            el("span", { dir: "auto" }, moved.text),
          ),
        ),
      ),
    ),
  );
