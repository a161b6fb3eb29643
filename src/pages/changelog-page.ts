import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { parseChangelog } from './changelog.ts';
import { contents } from './contents.ts';
import type { Layout } from './layout.ts';
import { sectionsOf } from './sections.ts';
import { sendJson, sendText } from './send-text.ts';
import { strictPolicy } from './strict-policy.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** Serves `/changelog`: a page for browsers, JSON or Markdown for programs. */
export async function changelogPage(layout: Layout): Promise<RequestHandler> {
  const changelog = await readFile(join(PROJECT, 'CHANGELOG.md'), 'utf8');
  const rendered = await readFile(join(PROJECT, 'generated/changelog.html'), 'utf8');
  const router = Router({ caseSensitive: true, strict: true });
  const json = sendJson(() => ({ data: parseChangelog(changelog) }));
  const markdown = sendText('text/markdown', () => changelog);
  const html = sendText('text/html', () => layout(page(rendered)));
  router.get('/changelog/', (_req, res) => res.redirect('../changelog'));
  router.get('/changelog', strictPolicy, (req, res, next) => {
    const send = (handler: RequestHandler) => () => handler(req, res, next);
    res.format({
      json: send(json),
      'text/markdown': send(markdown),
      html: send(html),
      default: send(json),
    });
  });
  return router;
}

function page(rendered: string) {
  return {
    title: 'Changelog',
    description: 'What each version adds, changes and fixes.',
    root: './' as const,
    place: 'Changelog' as const,
    files: ['article.css', 'guide.css', 'guide.js'],
    body: `<div class="guide"><main id="content"><article>\n${rendered}</article></main>\n${contents(sectionsOf(rendered))}</div>`,
  };
}
