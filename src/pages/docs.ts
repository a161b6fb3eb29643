import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import type { Environment } from '../environment.ts';
import type { Document } from '../http/validation/document.ts';
import { parseChangelog } from './changelog.ts';
import { dashboardPage } from './dashboard.ts';
import { docsPage } from './docs-page.ts';
import { toOpenApi30 } from './openapi-30.ts';
import { toPostmanCollection } from './postman-collection.ts';
import { sendJson, sendText } from './send-text.ts';
import { toServedDocument } from './served-document.ts';

/** Serves the contract, the docs page and the changelog at the origin. Each document is created when it is first requested. */
export async function serveDocuments(
  contract: Document,
  publicUrl: string,
  environments: readonly Environment[],
): Promise<RequestHandler> {
  let served: Document | undefined;
  const document = () => {
    served ??= toServedDocument(contract, publicUrl, environments);
    return served;
  };
  const changelog = await readFile(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const router = Router({ caseSensitive: true, strict: true });

  const documents = {
    '/': () => links(document(), publicUrl),
    '/openapi.json': document,
    '/openapi-3.0.json': () => toOpenApi30(document()),
    '/postman-collection.json': () => toPostmanCollection(document()),
  };
  for (const [path, make] of Object.entries(documents)) router.get(path, sendJson(make));
  const makeYaml = async () => {
    const { stringify } = await import('yaml');
    // Quotes values that YAML 1.1 parsers, such as Python's, read as timestamps or booleans.
    return stringify(document(), { lineWidth: 0, compat: 'yaml-1.1' });
  };
  router.get('/openapi.yaml', sendText('application/yaml', makeYaml));

  const changelogAsJson = sendJson(() => ({ data: parseChangelog(changelog) }));
  const changelogAsMarkdown = sendText('text/markdown', () => changelog);
  router.get('/changelog', (req, res, next) => {
    res.vary('Accept');
    const prefersMarkdown = req.accepts(['application/json', 'text/markdown']) === 'text/markdown';
    return prefersMarkdown ? changelogAsMarkdown(req, res, next) : changelogAsJson(req, res, next);
  });

  router.use(await docsPage());
  router.use(await dashboardPage());
  return router;
}

function links({ info, servers = [] }: Document, publicUrl: string) {
  return {
    name: info.title,
    version: info.version,
    base_urls: Object.fromEntries(
      servers.map(({ url, description = url }) => [description.toLowerCase(), url]),
    ),
    docs: `${publicUrl}/docs`,
    dashboard: `${publicUrl}/dashboard`,
    openapi: `${publicUrl}/openapi.json`,
    postman_collection: `${publicUrl}/postman-collection.json`,
    changelog: `${publicUrl}/changelog`,
  };
}
