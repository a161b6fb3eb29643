/**
 * The page's element of this type at the selector.
 * @template {Element} T
 * @param {string} selector
 * @param {{ new (): T }} type
 * @param {ParentNode} within
 * @returns {T}
 */
export function find(selector, type, within = document) {
  const element = within.querySelector(selector);
  if (element instanceof type) return element;
  throw new Error(`The page has no ${type.name} at ${selector}.`);
}

/**
 * Creates an element. Strings become text, never markup, so that a lead's name can't do harm.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}

/**
 * Isolates a text from outside, such as a name: its bidirectional controls don't affect the text around it.
 * @param {string} text
 */
export const isolate = (text) => element('bdi', {}, text);

/**
 * A copy of a template's element.
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function fromTemplate(selector) {
  const content = find(selector, HTMLTemplateElement).content.firstElementChild;
  return /** @type {HTMLElement} */ (content?.cloneNode(true));
}

/**
 * Sets the text only if it differs, because screen readers announce a status each time it is set.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}
