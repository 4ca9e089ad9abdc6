/** What goes in and out of the API, as in `bodies.py` and `schemas.py`; types only. */

/** @typedef {"all" | "unmatched" | "low" | "answered" | "disagreeing"} Filter */
/** @typedef {"y" | "n" | "unsure"} Said */
/** @typedef {{ error: string }} Problem */
/** @typedef {{ text: string, kind: "" | "keyword" | "raises" | "lowers" }} Piece */
/** @typedef {{ value: number, low: number, high: number }} Estimate */
/** @typedef {{ number: number, name: "reading" | "learning" | "map", stage: string, done: number, state: "running" | "done" | "failed" | "cancelled", message: string }} Job */
/** @typedef {{ file: string, documents: number, text: string[], id: string | null, language: string }} Corpus */
/** @typedef {{ version: string, project: string, revision: number, corpus: Corpus | null, keywords: string | null, learned: number | null, answers: number, job: Job | null, files: string[] }} Status */
/** @typedef {{ shortest: number, median: number, longest: number }} Lengths */
/** @typedef {{ message: string, rows: number[] }} Oddity */
/** @typedef {{ file: string, text?: string[] | null, id?: string | null }} Look */
/** @typedef {{ file: string, columns: string[], text: string[], id: string | null, rows: string[][], texts: string[], documents: number, empty: number, duplicates: number, language: string, lengths: Lengths, oddities: Oddity[] }} Preview */
/** @typedef {{ word: string, weight: number, excluded: boolean }} Chip */
/** @typedef {{ chips?: Chip[], text?: string }} Keywords */
/** @typedef {{ document: number, id: string, pieces: Piece[] }} Example */
/** @typedef {{ chip: Chip, documents: number, share: number, alone: number, agreement: number | null, verdict: string, examples: Example[] }} KeywordRow */
/** @typedef {{ word: string, documents: number, lift: number | null }} Suggestion */
/** @typedef {{ chips: Chip[], keywords: string, rows: KeywordRow[], documents: number, share: number, doubts: string[], suggestions: Suggestion[], learned: boolean, again: string[] }} Found */
/** @typedef {{ number: number, name: string, keywords: string, at: string, chips: Chip[], ranked: boolean }} Version */
/** @typedef {{ name: string }} Name */
/** @typedef {{ document: number, id: string, before: number, after: number, text: string }} Moved */
/** @typedef {{ before: Version, after: Version, top: number, entered: Moved[], left: Moved[], now_positive: number, now_negative: number, changed: Moved[], correlation: number }} Changes */
/** @typedef {{ word: string, by: number }} Reason */
/** @typedef {{ document: number, id: string, rank: number, score: number, chance: number, positive: boolean, answer: Said | null, pieces: Piece[], matched: string[], reasons: Reason[] }} Row */
/** @typedef {{ total: number, start: number, rows: Row[] }} Rows */
/** @typedef {{ documents: number[] }} Documents */
/** @typedef {{ name: string, text: string }} Cell */
/** @typedef {Row & { cells: Cell[], note: string, same: number[] }} Document */
/** @typedef {{ threshold: number, count: number, precision: Estimate | null, recall: Estimate | null }} Cut */
/** @typedef {{ edges: number[], matched: number[], others: number[], relevant: number[], irrelevant: number[] }} Histogram */
/** @typedef {{ histogram: Histogram, cuts: Cut[], current: Cut, rule: string, prior: Estimate, origin: string, provisional: boolean, ask: boolean, asked: Estimate | null, basis: "modelled" | "measured" | "none", source: string, advice: string }} Cuts */
/** @typedef {{ by: "score" | "top" | "precision" | "recall" | "prior" | "max_f1", value?: number | null, prior?: number | null }} CutAt */
/** @typedef {{ text: string }} Text */
/** @typedef {{ score: number, chance: number, positive: boolean, rank: number, pieces: Piece[], matched: string[], reasons: Reason[] }} Scored */
/** @typedef {{ ready: boolean, method: string, document: number[], x: number[], y: number[], score: number[], answer: (Said | null)[] }} Map */
/** @typedef {{ document: number, id: string, chosen: string, pieces: Piece[], cells: Cell[], note: string }} Shown */
/** @typedef {{ documents: Shown[], answers: (Said | null)[], fewest: number }} Asking */
/** @typedef {{ shown: Shown | null, read: number, relevant: number, irrelevant: number, unsure: number, skipped: number, left: number, lines: string[], checking: boolean, problem: string }} Review */
/** @typedef {{ document: number, answer: "y" | "n" | "unsure" | "skip" }} ReviewAnswer */
/** @typedef {{ document: number, answer: Said | null }} Answer */
/** @typedef {{ document: number, text: string }} Note */
/** @typedef {{ shell: string, python: string }} Repeat */

export {};
