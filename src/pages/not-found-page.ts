import type { RequestHandler } from 'express';
import { basePaths } from '../environment.ts';
import type { Layout } from './layout.ts';
import { strictPolicy } from './strict-policy.ts';

const body = `<main id="content"><article>
<h1>Page not found</h1>
<p>Nothing is at this address. Check its spelling, or search above.</p>
</article></main>`;

/** A 404 that people can read. Programs, and requests below the base paths, get the error as JSON. */
export function notFoundPage(layout: Layout): RequestHandler {
  const isApi = (path: string) =>
    Object.values(basePaths).some((base) => path === base || path.startsWith(`${base}/`));
  return (req, res, next) => {
    const isPage = ['GET', 'HEAD'].includes(req.method) && !isApi(req.path);
    if (!isPage || req.accepts(['json', 'html']) !== 'html') return next();
    const depth = req.path.split('/').length - 2;
    const page = {
      title: 'Page not found',
      description: 'Nothing is at this address.',
      root: '../'.repeat(depth) || './',
      files: ['article.css'],
      body,
    };
    strictPolicy(req, res, () => {
      res.status(404).set('Cache-Control', 'no-store').type('html').send(layout(page));
    });
  };
}
