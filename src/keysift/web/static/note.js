/** A note on a document: kept when the field is left, and whenever something else is shown in its place. */

import { api } from "./api.js";
import { el } from "./dom.js";
import { attempt, toast } from "./toast.js";

/** A field for the note on one document at a time. */
export class NoteField {
  /** @param {string} id @param {string} placeholder */
  constructor(id, placeholder) {
    /** @type {{ document: number, note: string } | null} */
    this.on = null;
    this.field = el("textarea", {
      id,
      rows: "1",
      maxlength: "10000",
      placeholder,
      data: { test: "note", key: "note" },
      onchange: () => this.save(),
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
      event.preventDefault(); // Escape leaves the field, not the dialog around it
      event.stopPropagation();
      this.field.blur();
      /** @type {HTMLElement | null | undefined} */ (this.field.closest("dialog")?.querySelector(".body"))?.focus();
    });
    this.element = el("div", { class: "note" }, el("label", { for: id, class: "hidden" }, "Note"), this.field);
  }

  /** The note that is kept on a document; null where none is shown. @param {{ document: number, note: string } | null} on */
  show(on) {
    this.on = on;
    this.field.value = on?.note ?? "";
  }

  /** Whether nobody is writing. */
  get rests() {
    return this.field.value.trim() === (this.on?.note ?? "") && document.activeElement !== this.field;
  }

  async save() {
    const { on } = this;
    const note = this.field.value.trim();
    if (!on || note === on.note) return;
    const before = on.note;
    on.note = note;
    if (await attempt(api.note(on.document, note))) toast(note ? "Saved the note." : "Removed the note.");
    else on.note = before;
  }
}
