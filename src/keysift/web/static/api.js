/** The one way to the server. */

/** @typedef {import("./types.js").Keywords} Keywords */

/** A request that the server refused, with its sentence. */
export class Refused extends Error {
  /** @param {string} sentence @param {number} code */
  constructor(sentence, code) {
    super(sentence);
    this.code = code;
  }
}

/** The server did not answer at all. */
export class Unreachable extends Error {}

/** Tells `reached` (true, false) and `unauthorised`. */
export const line = new EventTarget();

/**
 * @param {string} method
 * @param {string} path
 * @param {{ body?: unknown, signal?: AbortSignal }} [how]
 * @returns {Promise<any>}
 */
async function call(method, path, { body, signal } = {}) {
  const answer = await reach(`api/${path}`, {
    method,
    headers: headers(method, body),
    body: json(body),
    signal,
  });
  return taken(answer);
}

/** What the server says, or its refusal. @param {Response} answer @returns {Promise<any>} */
async function taken(answer) {
  if (answer.status === 401) line.dispatchEvent(new Event("unauthorised"));
  if (!answer.ok) throw new Refused(await sentence(answer), answer.status);
  return answer.json();
}

/**
 * A file, sent in the older way, which alone tells how much of it is sent.
 * @param {string} path @param {File} file @param {(share: number) => void} told @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
async function send(path, file, told, signal) {
  const answer = await new Promise((/** @type {(answer: Response) => void} */ done, failed) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `api/${path}`);
    for (const [name, value] of Object.entries(headers("PUT", undefined, file))) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => told(event.loaded / Math.max(1, event.total));
    request.onload = () => done(new Response(request.responseText, { status: request.status }));
    request.onerror = () => failed(new Unreachable());
    request.onabort = () => failed(new DOMException("", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  }).catch((error) => {
    if (error instanceof Unreachable) line.dispatchEvent(new CustomEvent("reached", { detail: false }));
    throw error;
  });
  return taken(answer);
}

/** @param {string} address @param {RequestInit} how */
async function reach(address, how) {
  try {
    const answer = await fetch(address, { ...how, cache: "no-store" });
    line.dispatchEvent(new CustomEvent("reached", { detail: true }));
    return answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    line.dispatchEvent(new CustomEvent("reached", { detail: false }));
    throw new Unreachable();
  }
}

/** @param {string} method @param {unknown} body @param {Blob} [file] */
function headers(method, body, file) {
  /** @type {Record<string, string>} */
  const given = method === "GET" ? {} : { "X-Keysift": "1" };
  if (file) given["Content-Type"] = "application/octet-stream";
  else if (body !== undefined) given["Content-Type"] = "application/json";
  return given;
}

/** @param {unknown} body */
const json = (body) => (body === undefined ? undefined : JSON.stringify(body));

/** @param {Response} answer */
async function sentence(answer) {
  try {
    const { error } = await answer.json();
    if (typeof error === "string" && error) return error;
  } catch {
    // Not JSON: something between the page and keysift answered.
  }
  return `The server answered ${answer.status} and did not say why; its terminal may.`;
}

/** @param {string} path @param {AbortSignal} [signal] */
const get = (path, signal) => call("GET", path, { signal });
/** @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] */
const post = (path, body, signal) => call("POST", path, { body, signal });
/** @param {string} path @param {unknown} body */
const put = (path, body) => call("PUT", path, { body });

/** Every call of the contract, named for what it does. */
export const api = {
  /** @returns {Promise<import("./types.js").Status>} */
  status: () => get("status"),
  /** @param {File} file @param {(share: number) => void} told @param {AbortSignal} signal @returns {Promise<import("./types.js").Status>} */
  upload: (file, told, signal) => send(`files/${encodeURIComponent(file.name)}`, file, told, signal),
  /** @param {string} file @returns {Promise<import("./types.js").Status>} */
  remove: (file) => call("DELETE", `files/${encodeURIComponent(file)}`),
  /** @returns {Promise<import("./types.js").Status>} */
  sample: () => post("sample"),
  /** @param {import("./types.js").Look} look @param {AbortSignal} [signal] @returns {Promise<import("./types.js").Preview>} */
  preview: (look, signal) => post("preview", look, signal),
  /** @param {import("./types.js").Look} look @returns {Promise<import("./types.js").Job>} */
  open: (look) => post("corpus", look),
  /** @param {Keywords} keywords @param {AbortSignal} [signal] @returns {Promise<import("./types.js").Found>} */
  match: (keywords, signal) => post("match", keywords, signal),
  /** @param {Keywords} keywords @returns {Promise<import("./types.js").Job>} */
  learn: (keywords) => post("learn", keywords),
  /** @returns {Promise<import("./types.js").Status>} */
  cancel: () => call("DELETE", "job"),
  /** @returns {Promise<import("./types.js").Version[]>} */
  versions: () => get("versions"),
  /** @param {number} number @param {string} name @returns {Promise<import("./types.js").Version[]>} */
  rename: (number, name) => call("PATCH", `versions/${number}`, { body: { name } }),
  /** @param {number} before @param {number} after @returns {Promise<import("./types.js").Changes>} */
  changes: (before, after) => get(`changes?before=${before}&after=${after}&top=100`),
  /**
   * @param {number} start @param {number} n @param {{ filter: string, search: string }} asked @param {AbortSignal} [signal]
   * @returns {Promise<import("./types.js").Rows>}
   */
  ranking: (start, n, { filter, search }, signal) =>
    get(`ranking?${new URLSearchParams({ start: String(start), n: String(n), filter, search })}`, signal),
  /** @param {number[]} documents @returns {Promise<import("./types.js").Rows>} */
  rows: (documents) => post("rows", { documents }),
  /** @param {number} document @returns {Promise<import("./types.js").Document>} */
  document: (document) => get(`documents/${document}`),
  /** @returns {Promise<import("./types.js").Cuts>} */
  cuts: () => get("cuts"),
  /** @param {import("./types.js").CutAt} at @returns {Promise<import("./types.js").Cuts>} */
  cut: (at) => post("cut", at),
  /** @returns {Promise<import("./types.js").Asking>} */
  asking: () => get("ask"),
  /** @param {number} document @param {import("./types.js").Said} answer @returns {Promise<import("./types.js").Asking>} */
  answerAsked: (document, answer) => put("ask", { document, answer }),
  /** @returns {Promise<import("./types.js").Cuts>} */
  applyAsked: () => post("ask"),
  /** @param {string} text @returns {Promise<import("./types.js").Scored>} */
  score: (text) => post("score", { text }),
  /** @returns {Promise<import("./types.js").Map>} */
  map: () => get("map"),
  /** @returns {Promise<import("./types.js").Job>} */
  makeMap: () => post("map"),
  /** @returns {Promise<import("./types.js").Review>} */
  review: () => get("review"),
  /** @param {number} document @param {string} answer @returns {Promise<import("./types.js").Review>} */
  reviewed: (document, answer) => post("review/answer", { document, answer }),
  /** @returns {Promise<import("./types.js").Review>} */
  back: () => post("review/back"),
  /** @returns {Promise<import("./types.js").Review>} */
  check: () => post("review/check"),
  /** @param {number} document @param {string} text @returns {Promise<import("./types.js").Review>} */
  note: (document, text) => put("notes", { document, text }),
  /** @param {number} document @param {import("./types.js").Said | null} answer @returns {Promise<import("./types.js").Status>} */
  answer: (document, answer) => put("answers", { document, answer }),
  /** @returns {Promise<import("./types.js").Repeat>} */
  repeat: () => get("repeat"),
};

/** @param {string} name */
export const download = (name) => `api/export/${name}`;
