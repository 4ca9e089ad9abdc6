/** Figures in words. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** @param {number} n */
export const count = (n) => whole.format(n);

/** @param {number} n @param {string} one @param {string} [several] */
export const counted = (n, one, several = `${one}s`) => `${count(n)} ${n === 1 ? one : several}`;

/** @param {number} share */
export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.1) return "<0.1 %";
  return `${value < 10 && value > 0 ? value.toFixed(1) : Math.round(value)} %`;
}

/** @param {{low: number, high: number}} estimate */
export const interval = (estimate) => `${percent(estimate.low).replace(" %", "")} to ${percent(estimate.high)}`;

/** @param {number} score */
export const score = (score) => score.toFixed(2).replace("-0.00", "0.00").replace("-", "−");

/** @param {number} by */
export const signed = (by) => (by >= 0 ? "+" : "−") + Math.abs(by).toFixed(2);

/** @param {string} at a time as ISO text */
export function when(at) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const today = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return today ? time : `${date.toLocaleDateString([], { day: "numeric", month: "short" })}, ${time}`;
}
