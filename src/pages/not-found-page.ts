import type { RequestHandler } from 'express';
import type { Layout } from './layout.ts';
import { strictPolicy } from './strict-policy.ts';

const body = `<main id="content"><article>
<h1>Page not found</h1>
<p>Nothing is at this address. Check its spelling, or search above.</p>
</article></main>`;

/** A 404 below /guides/ that people can read. Programs get the error as JSON, as everywhere. */
export function notFoundPage(layout: Layout): RequestHandler {
  return (req, res, next) => {
    if (req.accepts(['json', 'html']) !== 'html') return next();
    const depth = req.originalUrl.split('?', 1)[0]?.split('/').length ?? 2;
    const page = {
      title: 'Page not found',
      description: 'Nothing is at this address.',
      root: '../'.repeat(depth - 2),
      files: ['article.css'],
      body,
    };
    strictPolicy(req, res, () => {
      res.status(404).set('Cache-Control', 'no-store').type('html').send(layout(page));
    });
  };
}
