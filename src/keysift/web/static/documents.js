/** Step 1: choose a file, see what is in it, say which columns to read. */

import { api } from "./api.js";
import { openButton, preview } from "./preview.js";
import { el, fill, keepFocus, renew } from "./dom.js";
import { count, counted, percent } from "./numbers.js";
import { running, started, status, take } from "./status.js";
import { attempt, toast } from "./toast.js";

/** @typedef {import("./types.js").Look} Look */

/** What was looked at last; it is still there when one comes back. @type {Look | null} */
let look = null;

/** @param {HTMLElement} root @returns {import("./app.js").Screen} */
export function showDocuments(root) {
  const files = el("div", { class: "files" });
  const busy = el("p", { class: "busy", role: "status", "aria-live": "polite" });
  const sent = el("div", { class: "sent" }); // apart from what is read aloud
  const open = el("div", { class: "opened" });
  const view = el("section", { class: "preview", "aria-label": "What is in the file" });
  let wait = new AbortController();
  /** @type {import("./types.js").Preview | null} */
  let shown = null;

  /** @param {Look} next */
  const see = async (next) => {
    look = next;
    wait.abort();
    wait = new AbortController();
    fill(busy, `Looking into ${next.file} …`);
    drawFiles();
    const mine = wait;
    const seen = await attempt(api.preview(next, mine.signal), (sentence) => {
      fill(
        view,
        el(
          "div",
          { class: "problem", role: "alert", data: { test: "preview-error" } },
          el("p", {}, sentence),
          el("p", { class: "soft" }, "Choose another file, or mend this one and drop it again."),
        ),
      );
    });
    if (mine !== wait) return;
    fill(busy);
    shown = seen ?? null;
    if (seen) keepFocus(view, () => fill(view, ...preview(seen, see, start)));
  };

  /** @param {Look} chosen */
  const start = async (chosen) => {
    const job = await attempt(api.open(chosen));
    if (job) started(job);
  };

  /** @param {string} doing @param {Promise<import("./types.js").Status>} work @param {string} file */
  const bring = async (doing, work, file) => {
    fill(busy, doing);
    const now = await attempt(work);
    fill(busy);
    fill(sent);
    if (!now) return;
    take(now);
    see({ file: now.files.includes(file) ? file : (now.files.at(-1) ?? file) });
  };
  /** @param {File} file */
  const upload = (file) => {
    const stop = new AbortController();
    const told = (/** @type {number} */ share) => drawSent(share, () => stop.abort());
    told(0);
    bring(`Copying ${file.name} (${size(file.size)}) into the project …`, api.upload(file, told, stop.signal), file.name);
  };
  /** @param {number} share @param {() => void} stop */
  const drawSent = (share, stop) =>
    keepFocus(sent, () =>
      renew(
        sent,
        el("progress", { max: "1", value: share, "aria-label": "Copied", data: { test: "copied" } }),
        el("span", { class: "share", data: { test: "copied-share" } }, percent(share)),
        el("button", { type: "button", class: "small", data: { key: "stop" }, onclick: stop }, "Cancel"),
      ),
    );
  const sample = () => bring("Writing the sample …", api.sample(), "sample.csv");

  /** @param {string} file */
  const remove = async (file) => {
    const now = await attempt(api.remove(file));
    if (!now) return;
    if (look?.file === file) (fill(view), (look = null));
    take(now);
    drawFiles();
    toast(`Removed ${file} from the project; the file it was copied from is where it was.`);
  };
  const drawFiles = () => keepFocus(files, () => renew(files, ...fileList(see, remove)));
  const drawOpen = () => renew(open, ...opened());

  fill(
    root,
    el("h1", {}, "Documents"),
    el(
      "p",
      { class: "lead" },
      "A table, a spreadsheet, references, mail, web pages, a text file with a document a line: what you want to sift. It stays on this machine.",
    ),
    open,
    el("div", { class: "bring" }, dropZone(upload), el("div", {}, files, samples(sample))),
    busy,
    sent,
    view,
  );
  drawOpen();
  drawFiles();
  const { corpus } = status();
  if (look && status().files.includes(look.file)) see(look);
  else if (corpus && status().files.includes(corpus.file)) see({ file: corpus.file, text: corpus.text, id: corpus.id });
  const told = () => {
    drawOpen();
    const place = view.querySelector("[data-part=open]");
    const seen = shown;
    if (place && seen) keepFocus(place, () => renew(place, openButton(seen, start)));
  };
  return { refresh: drawFiles, told, leave: () => wait.abort() };
}

/** What is open now, and the way on. */
function opened() {
  const { corpus } = status();
  if (running()?.name === "reading" || !corpus) return [];
  return [
    el(
      "p",
      { class: "done", data: { test: "opened" } },
      el(
        "span",
        {},
        el("b", { dir: "auto" }, corpus.file),
        ` is open: ${counted(corpus.documents, "document")}`,
        corpus.text.length ? ` from ${corpus.text.join(" and ")}` : "",
        corpus.language ? `, ${corpus.language}` : "",
        ".",
      ),
      el("a", { class: "button primary", href: "#/keywords", data: { test: "next" } }, "On to keywords →"),
    ),
  ];
}

/** @param {(file: File) => void} upload */
function dropZone(upload) {
  const input = el("input", { type: "file", class: "hidden", id: "file", data: { test: "file" } });
  input.addEventListener("change", () => {
    if (input.files?.[0]) upload(input.files[0]);
    input.value = ""; // the same file again is a change again
  });
  const zone = el(
    "label",
    { class: "drop", for: "file", data: { test: "drop" } },
    el("b", {}, "Drop a file here"),
    el(
      "span",
      {},
      "or ",
      el("span", { class: "like-link" }, "choose one"),
      "; csv, xlsx, parquet, jsonl, ris, nbib, txt and others",
    ),
    input,
  );
  /** @param {boolean} over */
  const mark = (over) => zone.classList.toggle("over", over);
  zone.addEventListener("dragover", (event) => (event.preventDefault(), mark(true)));
  zone.addEventListener("dragleave", () => mark(false));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    const file = event.dataTransfer?.files[0];
    if (file) upload(file);
  });
  return zone;
}

/** @param {(look: Look) => void} see @param {(file: string) => void} remove */
function fileList(see, remove) {
  const { files, corpus } = status();
  if (!files.length)
    return [
      el("h2", {}, "Files of this project"),
      el("p", { class: "soft" }, "None yet. A file that you drop is copied into the project."),
    ];
  return [
    el("h2", {}, "Files of this project"),
    el(
      "ul",
      { class: "plain" },
      ...files.map((file) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              class: "file",
              "aria-pressed": String(file === look?.file),
              data: { key: `file ${file}`, test: "project-file" },
              onclick: () => see({ file }),
            },
            file,
          ),
          file !== corpus?.file &&
            el(
              "button",
              {
                type: "button",
                class: "quiet",
                "aria-label": `Remove ${file}`,
                title: "Remove from the project",
                data: { test: "remove-file", key: `remove ${file}` },
                onclick: () => remove(file),
              },
              "×",
            ),
        ),
      ),
    ),
  ];
}

/** @param {() => void} sample */
const samples = (sample) =>
  el(
    "p",
    { class: "soft sample" },
    "Nothing at hand? ",
    el("button", { type: "button", class: "link", data: { test: "sample" }, onclick: sample }, "Take the sample"),
    ": what numpy, scipy and scikit-learn say of their functions.",
  );

/** @param {number} bytes */
const size = (bytes) => (bytes < 1e6 ? `${count(Math.max(1, bytes / 1e3))} kB` : `${count(bytes / 1e6)} MB`);
