import { type RequestHandler, Router } from 'express';
import type { Document } from '../http/validation/document.ts';
import { escapeHtml } from '../values/escape-html.ts';
import type { Layout } from './layout.ts';
import { sendJson, sendText } from './send-text.ts';
import { strictPolicy } from './strict-policy.ts';

/** Serves `/`: a page for browsers, and JSON for programs. */
export function homePage(layout: Layout, document: () => Document, publicUrl: string): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  const json = sendJson(() => links(document(), publicUrl));
  const html = sendText('text/html', () => layout(page(document())));
  router.get('/', strictPolicy, (req, res, next) => {
    const send = (handler: RequestHandler) => () => handler(req, res, next);
    res.format({ json: send(json), html: send(html), default: send(json) });
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
    postman_collection: `${publicUrl}/postman-collection.json`,
    changelog: `${publicUrl}/changelog`,
    llms_txt: `${publicUrl}/llms.txt`,
  };
}

const cards = [
  ['docs', 'Docs', 'Every operation with its fields, errors and examples. Send requests from the page.'],
  [
    'guides/',
    'Guides',
    'Chapters about integrating, running and changing the service, and recipes to paste.',
  ],
  ['dashboard/', 'Pipeline', 'The pipeline, live: board, funnel, money, and the latest events.'],
  ['changelog', 'Changelog', 'What each version adds, changes and fixes.'],
] as const;

/** home.js fills in the states. */
function page({ info, servers = [] }: Document) {
  const card = ([url, name, text]: (typeof cards)[number]) =>
    `<li><a href="${url}"><h2>${name}</h2><p>${text}</p></a></li>`;
  const row = ({ url, description = url }: { url: string; description?: string }) =>
    `<tr data-environment="${escapeHtml(description.toLowerCase())}"><th scope="row">${escapeHtml(description)}</th>` +
    `<td><code>${escapeHtml(url)}</code></td><td class="health">…</td></tr>`;
  return {
    title: info.title,
    description: info.summary ?? info.title,
    root: './' as const,
    files: ['home.css', 'home.js'],
    body: `<main id="content" class="home">
<h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1>
<p>${escapeHtml(info.summary ?? '')}</p>
<ul class="cards">
${cards.map(card).join('\n')}
</ul>
<section aria-labelledby="health-title">
<h2 id="health-title">State of the service</h2>
<p id="health" role="status"></p>
<noscript><p><a href="readyz">/readyz</a> shows it without JavaScript.</p></noscript>
<div class="table"><table><thead><tr><th scope="col">Environment</th><th scope="col">Base URL</th><th scope="col">State</th></tr></thead>
<tbody>
${servers.map(row).join('\n')}
</tbody></table></div>
</section>
<p class="hint">For programs: <a href="openapi.json">openapi.json</a>, <a href="openapi.yaml">openapi.yaml</a>,
<a href="openapi-3.0.json">openapi-3.0.json</a>, <a href="postman-collection.json">postman-collection.json</a>,
<a href="llms.txt">llms.txt</a>.
They get this page as JSON.</p>
</main>`,
  };
}
