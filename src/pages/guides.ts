import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { builtFiles, filesIn, refuseUnbuilt, WEB } from './built-files.ts';
import { pagePolicy } from './policy.ts';

const DIST = join(WEB, 'guides/dist');
const NOT_FOUND = '404.html';

/** Serves the guides, as `npm run build` has built them. */
export function guidesPages(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const isBuilt = filesIn(DIST).includes(NOT_FOUND);
  router.get('/guides', (_req, res) => res.redirect('/guides/'));
  router.get(/^\/guides\/(.+)\/$/, (req, res) => res.redirect(`/guides/${req.params[0]}`));
  router.use('/guides', policy(isBuilt), builtFiles(DIST));
  router.get('/guides/{*path}', (req, res, next) => {
    if (!isBuilt) refuseUnbuilt();
    // Programs get the error as JSON, as everywhere.
    if (req.accepts(['json', 'html']) !== 'html') return next();
    res.status(404).set('Cache-Control', 'no-store').sendFile(NOT_FOUND, { root: DIST, cacheControl: false });
  });
  return router;
}

/** VitePress has two scripts within each page, which choose light or dark, and colours code by attributes. */
function policy(isBuilt: boolean) {
  const hashes: string[] = isBuilt ? JSON.parse(readFileSync(join(DIST, 'inline-scripts.json'), 'utf8')) : [];
  return pagePolicy({
    scriptSrc: ["'self'", ...hashes],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
  });
}
