/** The keywords as they are on the page: kept in the browser until they are learned, with a way back. */

/** @typedef {import("./types.js").Chip} Chip */

const DEEPEST = 200;

/** Keywords and those before them. */
export class Draft {
  /** @param {string} project */
  constructor(project) {
    this.place = `keysift:keywords:${project}`;
    /** @type {Chip[]} */
    this.chips = [];
    /** @type {Chip[][]} */
    this.past = [];
    /** @type {Chip[][]} */
    this.future = [];
    /** Whether they are from here, rather than from a version. */
    this.kept = false;
    this.#read();
  }

  /** @param {Chip[]} chips */
  change(chips) {
    this.past = [...this.past, this.chips].slice(-DEEPEST);
    this.future = [];
    this.#put(chips);
  }

  /** Those of a version, which nobody changed here yet. @param {Chip[]} chips */
  adopt(chips) {
    this.chips = chips;
    this.kept = false;
    localStorage.removeItem(this.place);
  }

  /** The server's spelling of the same keywords. @param {Chip[]} chips */
  spell(chips) {
    this.chips = chips;
    if (this.kept) this.#put(chips);
  }

  undo() {
    const before = this.past.pop();
    if (!before) return false;
    this.future.push(this.chips);
    this.#put(before);
    return true;
  }

  redo() {
    const after = this.future.pop();
    if (!after) return false;
    this.past.push(this.chips);
    this.#put(after);
    return true;
  }

  /** @param {Chip[]} chips */
  #put(chips) {
    this.chips = chips;
    this.kept = true;
    localStorage.setItem(this.place, JSON.stringify(chips));
  }

  #read() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.place) ?? "null");
      if (!Array.isArray(kept) || !kept.every((chip) => typeof chip?.word === "string")) return;
      this.chips = kept.map(({ word, weight, excluded }) => ({
        word,
        weight: Number(weight) || 1,
        excluded: excluded === true,
      }));
      this.kept = true;
    } catch {
      localStorage.removeItem(this.place); // not ours, or cut short
    }
  }
}
