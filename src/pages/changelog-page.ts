import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { parseChangelog } from './changelog.ts';
import { sendJson, sendText } from './send-text.ts';

const CHANGELOG = join(import.meta.dirname, '../../CHANGELOG.md');

/** Serves `/changelog`: JSON or Markdown for programs. Browsers are led to the page among the guides. */
export async function changelogPage(): Promise<RequestHandler> {
  const changelog = await readFile(CHANGELOG, 'utf8');
  const router = Router({ caseSensitive: true, strict: true });
  const json = sendJson(() => ({ data: parseChangelog(changelog) }));
  const markdown = sendText('text/markdown', () => changelog);
  router.get('/changelog/', (_req, res) => res.redirect('/changelog'));
  router.get('/changelog', (req, res, next) => {
    const send = (handler: RequestHandler) => () => handler(req, res, next);
    res.format({
      json: send(json),
      'text/markdown': send(markdown),
      html: () => res.redirect('/guides/changelog'),
      default: send(json),
    });
  });
  return router;
}
