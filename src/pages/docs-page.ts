import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Router } from 'express';
import { sharedFiles } from './site-files.ts';
import { staticPage } from './static-page.ts';

const OWN_FILES = join(import.meta.dirname, 'docs-page');
const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

/** Swagger UI with an HTML page, a stylesheet and plugins of our own. */
export async function docsPage(): Promise<Router> {
  const library = { root: SWAGGER_UI, files: ['swagger-ui.css', 'swagger-ui-bundle.js'] };
  return staticPage('/docs', OWN_FILES, sharedFiles('icon.svg', 'theme.css'), library);
}
