import { join } from 'node:path';
import { Router } from 'express';
import { builtFiles, refuseUnbuilt, WEB } from './built-files.ts';
import { pagePolicy } from './policy.ts';

/** Serves the pipeline page, as `npm run build` has built it. */
export function pipelinePage(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(['/dashboard', '/dashboard/index.html'], (_req, res) => res.redirect('/dashboard/'));
  router.use('/dashboard', strictPolicy, builtFiles(join(WEB, 'pipeline/dist')));
  router.get('/dashboard/', refuseUnbuilt);
  return router;
}

/** Trusted Types make the browser refuse text that is assigned as markup, such as to innerHTML: leads contain text from strangers. */
const strictPolicy = pagePolicy({ requireTrustedTypesFor: ["'script'"], trustedTypes: ["'none'"] });
