import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import helmet from 'helmet';
import { staticPage } from './static-page.ts';

const OWN_FILES = join(import.meta.dirname, 'dashboard/static');
const UPLOT = dirname(fileURLToPath(import.meta.resolve('uplot')));

/**
 * The page loads only its own files and calls only its own host. Trusted Types make the browser refuse text that is
 * assigned as markup, such as to innerHTML: leads contain text from strangers.
 */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
});

/** Serves the pipeline page, whose files the browser runs as they are. */
export async function dashboardPage(): Promise<Router> {
  const library = { root: UPLOT, files: ['uPlot.iife.min.js', 'uPlot.min.css'] };
  const page = await staticPage('/dashboard', OWN_FILES, library);
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/dashboard', policy);
  router.use(page);
  return router;
}
