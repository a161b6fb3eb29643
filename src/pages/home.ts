import { type RequestHandler, Router } from 'express';
import type { Document } from '../http/validation/document.ts';
import { sendJson } from './send-text.ts';

/** Serves `/`: JSON for programs. Browsers are led to the guides, which show the same. */
export function homePage(document: Document, publicUrl: string): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  const json = sendJson(() => links(document, publicUrl));
  router.get('/', (req, res, next) => {
    const send = () => json(req, res, next);
    res.format({ json: send, html: () => res.redirect('/guides/'), default: send });
  });
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
    guides: `${publicUrl}/guides/`,
    dashboard: `${publicUrl}/dashboard`,
    openapi: `${publicUrl}/openapi.json`,
    changelog: `${publicUrl}/changelog`,
    llms_txt: `${publicUrl}/llms.txt`,
  };
}
