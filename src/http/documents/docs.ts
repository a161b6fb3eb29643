import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { stringify } from 'yaml';
import type { Document } from '../validation/contract.ts';
import { parseChangelog } from './changelog.ts';
import { toOpenApi30 } from './openapi-30.ts';
import { toServedDocument } from './served-document.ts';

/** Swagger UI files that the page loads. For any other path swaggerUi.serve would respond with plain text or HTML. */
const ASSETS = new Set([
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-16x16.png',
  '/favicon-32x32.png',
]);

/** Serves the contract, the docs page and the changelog at the origin. All of it is built at boot. */
export async function serveDocuments(contract: Document, publicUrl: string): Promise<RequestHandler> {
  const document = toServedDocument(contract, publicUrl);
  const changelog = await readFile(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8');
  const initScript = await readFile(join(import.meta.dirname, 'docs-init.js'), 'utf8');
  const router = Router({ caseSensitive: true, strict: true });

  router.get('/', json(links(document, publicUrl)));
  router.get('/openapi.json', json(document));
  router.get('/openapi.yaml', text('application/yaml', stringify(document, { lineWidth: 0 })));
  router.get('/openapi-3.0.json', json(toOpenApi30(document)));

  const changelogAsJson = json({ data: parseChangelog(changelog) });
  const changelogAsMarkdown = text('text/markdown', changelog);
  router.get('/changelog', (req, res, next) => {
    res.vary('Accept');
    const prefersMarkdown = req.accepts(['application/json', 'text/markdown']) === 'text/markdown';
    return prefersMarkdown ? changelogAsMarkdown(req, res, next) : changelogAsJson(req, res, next);
  });

  // The page loads its assets by relative URLs, so its own URL must end in a slash.
  router.get(['/docs', '/docs/index.html'], (_req, res) => res.redirect('/docs/'));
  const page = swaggerUi.generateHTML(undefined, { customSiteTitle: document.info.title });
  router.get('/docs/', text('text/html', page));
  router.get('/docs/swagger-ui-init.js', text('text/javascript', initScript));
  router.use('/docs', assetsOnly, swaggerUi.serve);
  return router;
}

const assetsOnly: RequestHandler = (req, _res, next) => next(ASSETS.has(req.path) ? undefined : 'router');

function links({ info, servers = [] }: Document, publicUrl: string) {
  return {
    name: info.title,
    version: info.version,
    base_urls: Object.fromEntries(
      servers.map(({ url, description = url }) => [description.toLowerCase(), url]),
    ),
    docs: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    changelog: `${publicUrl}/changelog`,
  };
}

function json(body: unknown): RequestHandler {
  return text('application/json', `${JSON.stringify(body)}\n`);
}

/** Express responds 304 if the ETag matches. `no-cache` lets caches store it but revalidate each time. */
function text(mediaType: string, body: string): RequestHandler {
  const headers = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    ETag: `"${createHash('sha256').update(body).digest('base64url')}"`,
  };
  return (_req, res) => {
    res.set(headers).send(body);
  };
}
