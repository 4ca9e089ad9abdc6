/** Elements made of data: text is always text, never markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, any>} Props attributes, `on…` listeners, `data` for data attributes */

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "selected", "indeterminate", "open"]);
const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with its attributes, listeners and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  assign(node, props);
  node.append(...nodes(children));
  return node;
}

/**
 * An element of a drawing.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  assign(node, props);
  node.append(...nodes(children));
  return /** @type {SVGElement} */ (node);
}

/**
 * Puts children in place of those that are there.
 * @param {Element} node
 * @param {...(Child | Child[])} children
 */
export function fill(node, ...children) {
  node.replaceChildren(...nodes(children));
}

/**
 * The same, but children that would be as they are stay: a button that is drawn anew while it is held down is never
 * clicked. For what is drawn again and again, by listeners that know nothing of the time before.
 * @param {Element} node
 * @param {...(Child | Child[])} children
 */
export function renew(node, ...children) {
  const next = nodes(children);
  const now = [...node.childNodes];
  if (next.length !== now.length) node.replaceChildren(...next);
  else next.forEach((child, at) => child.isEqualNode(now[at]) || now[at].replaceWith(child));
}

/**
 * Builds again, and gives the focus, and what was typed, back to the control with the same `data-key`.
 * @param {Element} root
 * @param {() => void} build
 */
export function keepFocus(root, build) {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && root.contains(active) ? active.dataset.key : undefined;
  const typed = typedInto(active);
  build();
  if (!key) return;
  const now = focusKey(root, key);
  if (typed !== undefined && now instanceof HTMLInputElement) now.value = typed;
}

/** What stands in a field and was not kept yet. @param {EventTarget | null} field */
export function typedInto(field) {
  const open = field instanceof HTMLInputElement && !["checkbox", "radio"].includes(field.type);
  return open && field.value !== field.defaultValue ? field.value : undefined;
}

/** @param {Element} root @param {string} key */
export function focusKey(root, key) {
  const node = root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (node instanceof HTMLElement) node.focus();
  return node;
}

/**
 * Text that shows what it holds and steers nothing: a sign in place of a control character, no character that turns the
 * direction of what follows.
 * @param {string} text
 */
export function visible(text) {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd");
}

/** @param {Element} node @param {Props} props */
function assign(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || (value === false && !PROPERTIES.has(name))) continue;
    if (name === "data") Object.assign(/** @type {HTMLElement} */ (node).dataset, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" && node instanceof HTMLInputElement)
      node.defaultValue = value; // what was typed differs
    else if (PROPERTIES.has(name)) /** @type {any} */ (node)[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {(Child | Child[])[]} children @returns {Node[]} */
function nodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(visible(String(child)))));
}
