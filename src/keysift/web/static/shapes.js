/** Shapes, colours and distances of the map. */

import { el } from "./dom.js";

/** @typedef {[number, number]} Spot */

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} radius */
export function ring(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} half */
export function cross(pen, x, y, half) {
  pen.beginPath();
  pen.moveTo(x - half, y - half);
  pen.lineTo(x + half, y + half);
  pen.moveTo(x + half, y - half);
  pen.lineTo(x - half, y + half);
  pen.stroke();
}

/** The colours of the page as a canvas takes them. @param {HTMLElement} near */
export function colours(near) {
  const probe = el("span", { class: "hidden" });
  near.append(probe);
  const read = (/** @type {string} */ name) => {
    probe.style.setProperty("color", `var(--${name})`);
    return getComputedStyle(probe).color;
  };
  const found = { ink: read("ink"), low: read("without"), high: read("accent"), yes: read("yes"), no: read("no") };
  probe.remove();
  return found;
}

/** @param {number[]} values @returns {[number, number]} */
export function ends(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high > low ? [low, high] : [(Number.isFinite(low) ? low : 0) - 1, (Number.isFinite(low) ? low : 0) + 1];
}

/** @param {Spot} a @param {Spot} b */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Whether a spot is within a closed line: a ray from it crosses the line an odd number of times. @param {Spot} spot @param {Spot[]} line */
export function inside([x, y], line) {
  let within = false;
  for (let at = 0, before = line.length - 1; at < line.length; before = at++) {
    const [x1, y1] = line[at];
    const [x2, y2] = line[before];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) within = !within;
  }
  return within;
}
