import { type RequestHandler, Router } from 'express';
import { stringify } from 'yaml';
import type { Environment } from '../environment.ts';
import type { Document } from '../http/validation/document.ts';
import { changelogPage } from './changelog-page.ts';
import { readGroups } from './chapters.ts';
import { dashboardPage } from './dashboard.ts';
import { docsPage } from './docs-page.ts';
import { guidesPages } from './guides.ts';
import { homePage } from './home.ts';
import { createLayout } from './layout.ts';
import { llmsText } from './llms-text.ts';
import { toOpenApi30 } from './openapi-30.ts';
import { toPostmanCollection } from './postman-collection.ts';
import { sendJson, sendText } from './send-text.ts';
import { toServedDocument } from './served-document.ts';

/**
 * Serves the contract and the pages at the origin. Each is created when it is first requested, from what was read at the start:
 * an upgrade may replace the files of a running process.
 */
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
  const router = Router({ caseSensitive: true, strict: true });

  const documents = {
    '/openapi.json': document,
    '/openapi-3.0.json': () => toOpenApi30(document()),
    '/postman-collection.json': () => toPostmanCollection(document()),
  };
  for (const [path, make] of Object.entries(documents)) router.get(path, sendJson(make));
  const groups = await readGroups();
  // Quotes values that YAML 1.1 parsers, such as Python's, read as timestamps or booleans.
  const makeYaml = () => stringify(document(), { lineWidth: 0, compat: 'yaml-1.1' });
  router.get('/openapi.yaml', sendText('application/yaml', makeYaml));
  // By the media type of Markdown, browsers would download it.
  router.get(
    '/llms.txt',
    sendText('text/plain', () => llmsText(document(), groups, publicUrl)),
  );

  const { layout, router: files } = await createLayout(contract.info.title);
  router.use(files, homePage(layout, document, publicUrl));
  router.use(guidesPages(layout, document, groups), await changelogPage(layout));
  router.use(await docsPage());
  router.use(await dashboardPage());
  return router;
}
