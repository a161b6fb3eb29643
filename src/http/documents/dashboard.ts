import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';

const page = join(import.meta.dirname, '../../dashboard/static');
const uPlot = dirname(fileURLToPath(import.meta.resolve('uplot')));
/** The chart library's files that the page loads. */
const CHART_FILES = ['uPlot.iife.min.js', 'uPlot.min.css'];

/**
 * The page loads only its own files and calls only its own host. Trusted Types make the browser refuse text that is
 * assigned as markup, such as to innerHTML: what leads contain comes from strangers.
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
export function serveDashboard(): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  // The page loads its files by relative URLs, so its own URL must end in a slash.
  router.get(['/dashboard', '/dashboard/index.html'], (_req, res) => res.redirect('/dashboard/'));
  router.use('/dashboard', policy);
  router.use('/dashboard/', files(page));
  for (const file of CHART_FILES) router.use(`/dashboard/${file}`, files(join(uPlot, file)));
  return router;
}

/** `no-cache` lets caches store a file but revalidate it each time, so that all files are of one version. */
function files(path: string): RequestHandler {
  return express.static(path, {
    redirect: false,
    setHeaders: (res) => res.setHeader('Cache-Control', 'no-cache'),
  });
}
