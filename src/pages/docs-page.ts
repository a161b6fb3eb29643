import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Router } from 'express';
import { staticPage } from './static-page.ts';

const OWN_FILES = join(import.meta.dirname, 'docs-page');
const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

/** Swagger UI with an HTML page, a stylesheet and plugins of our own. */
export async function docsPage(): Promise<Router> {
  return staticPage('/docs', OWN_FILES, {
    root: SWAGGER_UI,
    files: ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-16x16.png', 'favicon-32x32.png'],
  });
}
