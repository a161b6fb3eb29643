import { element } from '../dom.js';

/**
 * A part of the panel with a heading, which says in its `.state` why it could not be loaded.
 * @param {string} title
 * @param {(Node | string)[]} content
 */
export function createSection(title, ...content) {
  const state = element('p', { className: 'state', role: 'status' }, 'Loading…');
  return element('section', {}, element('h3', {}, title), state, ...content);
}
