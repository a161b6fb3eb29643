import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { sharedFiles } from './site-files.ts';
import { staticPage } from './static-page.ts';
import { strictPolicy } from './strict-policy.ts';

const OWN_FILES = join(import.meta.dirname, 'dashboard/static');
const UPLOT = dirname(fileURLToPath(import.meta.resolve('uplot')));

/** Serves the pipeline page, whose files the browser runs as they are. */
export async function dashboardPage(): Promise<Router> {
  const library = { root: UPLOT, files: ['uPlot.iife.min.js', 'uPlot.min.css'] };
  const page = await staticPage('/dashboard', OWN_FILES, sharedFiles('theme.css', 'icon.svg'), library);
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/dashboard', strictPolicy);
  router.use(page);
  return router;
}
