import { Router } from 'express';
import type { Document } from '../http/validation/document.ts';
import { escapeHtml } from '../values/escape-html.ts';
import type { Chapter, Group } from './chapters.ts';
import { contents } from './contents.ts';
import type { Layout } from './layout.ts';
import { notFoundPage } from './not-found-page.ts';
import { searchEntries } from './search-entries.ts';
import { sectionsOf } from './sections.ts';
import { sendJson, sendText } from './send-text.ts';
import { strictPolicy } from './strict-policy.ts';

/** Serves the chapters of docs/, which `npm run generate` has rendered, and the entries that their search finds. */
export function guidesPages(layout: Layout, document: () => Document, groups: readonly Group[]): Router {
  const chapters = groups.flatMap((group) => group.chapters);
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/guides', strictPolicy);
  router.get('/guides', (_req, res) => res.redirect('guides/'));
  router.get(
    '/guides/',
    sendText('text/html', () => layout(listPage(groups))),
  );
  router.get(
    '/guides/search.json',
    sendJson(() => searchEntries(document(), chapters)),
  );
  for (const [index, chapter] of chapters.entries()) {
    router.get(`/guides/${chapter.name}/`, (_req, res) => res.redirect(`../${chapter.name}`));
    const neighbours = { previous: chapters[index - 1], next: chapters[index + 1] };
    router.get(
      `/guides/${chapter.name}`,
      sendText('text/html', () => layout(chapterPage(chapter, groups, neighbours))),
    );
  }
  router.get('/guides/{*path}', notFoundPage(layout));
  return router;
}

function listPage(groups: readonly Group[]) {
  const row = ({ name, title, summary }: Chapter) =>
    `<li><a href="${name}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>`;
  const list = ({ name, chapters }: Group) =>
    `<section><h2>${escapeHtml(name)}</h2><ul>${chapters.map(row).join('\n')}</ul></section>`;
  return {
    title: 'Guides',
    description: 'How to use and run the Lead Pipeline API.',
    root: '../' as const,
    place: 'Guides' as const,
    files: ['guides.css'],
    body: `<main id="content" class="guides"><h1>Guides</h1>${groups.map(list).join('\n')}</main>`,
  };
}

interface Neighbours {
  previous: Chapter | undefined;
  next: Chapter | undefined;
}

function chapterPage(chapter: Chapter, groups: readonly Group[], { previous, next }: Neighbours) {
  const { title, summary, html } = chapter;
  const item = ({ name, title }: Chapter) =>
    `<li><a href="${name}"${name === chapter.name ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const list = ({ name, chapters }: Group) =>
    `<p class="group">${escapeHtml(name)}</p><ul>${chapters.map(item).join('')}</ul>`;
  const neighbour = (rel: string, label: string, other: Chapter | undefined) =>
    other === undefined
      ? ''
      : `<a rel="${rel}" href="${other.name}"><span>${label}</span>${escapeHtml(other.title)}</a>`;
  return {
    title,
    description: summary,
    root: '../' as const,
    place: 'Guides' as const,
    files: ['article.css', 'guide.css', 'guide.js'],
    body: `<div class="guide">
<nav class="chapters" aria-label="Chapters"><details><summary>Chapters</summary>${groups.map(list).join('')}</details></nav>
<main id="content">
<article>
${html}</article>
<nav class="neighbours" aria-label="Previous and next chapter">
${neighbour('prev', 'Previous', previous)}
${neighbour('next', 'Next', next)}
</nav>
</main>
${contents(sectionsOf(html))}
</div>`,
  };
}
