import { escapeHtml } from '../values/escape-html.ts';
import type { Section } from './sections.ts';

/** Links to the sections of a page. */
export function contents(sections: readonly Section[]): string {
  const items = sections
    .filter(({ level }) => level === 2 || level === 3)
    .map(
      ({ level, id, heading }) =>
        `<li><a class="level-${level}" href="#${id}">${escapeHtml(heading)}</a></li>`,
    );
  if (items.length === 0) return '';
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary><ul>${items.join('')}</ul></details></nav>`;
}
