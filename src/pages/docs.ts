import { type RequestHandler, Router } from 'express';
import type { Environment } from '../environment.ts';
import type { Document } from '../http/validation/document.ts';
import { DAY } from '../values/time.ts';
import { WEB } from './built-files.ts';
import { changelogPage } from './changelog-page.ts';
import { docsPage } from './docs-page.ts';
import { guidesPages } from './guides.ts';
import { homePage } from './home.ts';
import { pipelinePage } from './pipeline-page.ts';
import { fillIn, ownServers, publicDocuments, readPublicDocument } from './public-documents.ts';
import { sendText } from './send-text.ts';

/** Serves the contract and the pages at the origin. */
export async function serveDocuments(
  contract: Document,
  publicUrl: string,
  environments: readonly Environment[],
): Promise<RequestHandler> {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [name, mediaType] of Object.entries(publicDocuments)) {
    const generated = await readPublicDocument(name);
    const makeText = () => fillIn(generated.toString(), contract, publicUrl, environments);
    router.get(`/${name}`, sendText(mediaType, makeText));
  }
  const servers = ownServers(contract, publicUrl, environments);
  router.use(homePage({ ...contract, servers }, publicUrl), await changelogPage());
  router.use(guidesPages(), docsPage(), pipelinePage());
  // For documents that can't name an icon, such as JSON.
  router.get('/favicon.ico', (_req, res) => res.sendFile('favicon.ico', { root: WEB, maxAge: DAY }));
  return router;
}
