/** How the build of the guides reads a chapter. test/api/pages.test.ts follows the links of all pages. */
import MarkdownIt from 'markdown-it';
import type { MarkdownRenderer } from 'vitepress';
import { expect, it } from 'vitest';
import { anchorOf, linkPages } from '../../web/guides/markdown.ts';
import { operationLinks } from '../../web/guides/operation-links.ts';
import { readDocument } from '../../web/guides/pages.ts';
import { readGroups } from '../../web/guides/readme.ts';
import { describedOperations } from '../../web/guides/reference/operations.ts';
import { readPage } from '../support/markdown.ts';

const operations = describedOperations(await readDocument());
const markdownIt = new MarkdownIt({ html: false });
linkPages(markdownIt as unknown as MarkdownRenderer, {
  pages: new Map([
    ['docs/events.md', 'events'],
    ['README.md#a-tour', 'tour'],
  ]),
  sources: new Map([['webhooks', 'docs/webhooks.md']]),
  operationOf: operationLinks(operations),
});

const rendered = (markdown: string) => markdownIt.render(markdown, { relativePath: 'webhooks.md' }).trim();

it('takes the groups and the order of the chapters from the README', () => {
  const groups = readGroups(readPage('README.md'));
  expect(groups.map(({ name }) => name)).toEqual(['Integrate', 'Run', 'Contribute']);
  expect(groups[0]?.chapters).toContainEqual({
    name: 'webhooks',
    title: 'Webhooks',
    summary: expect.any(String),
    path: 'docs/webhooks.md',
  });
});

it.each([
  ['another chapter', '[x](events.md#read)', '<a href="./events#read">x</a>'],
  ['the tour', '[x](../README.md#a-tour)', '<a href="./tour">x</a>'],
  ['another section of the README', '[x](../README.md#run)', '<a href="/guides/">x</a>'],
  ['the same page', '[x](#y)', '<a href="#y">x</a>'],
  ['another site', '[x](https://example.com/#y)', '<a href="https://example.com/#y">x</a>'],
  ['a file that is served', '[x](../openapi/v1.yaml)', '<a href="/openapi.yaml" target="_self">x</a>'],
  [
    'a file that is not served',
    '[x](../deploy/nginx/processes.conf)',
    '<span title="deploy/nginx/processes.conf in the repository">x</span>',
  ],
])('turns a link to %s', (_, markdown, html) => {
  expect(rendered(markdown)).toBe(`<p>${html}</p>`);
});

it.each([
  ['POST /leads', 'leads#createlead'],
  ['GET /v1/leads?status=new', 'leads#listleads'],
  ['GET /leads/lead_1', 'leads#getlead'],
  ['GET /leads/export', 'leads#exportleads'],
  ['POST /clients/{id}/keys/{key_id}/revoke', 'api-clients#revokeapikey'],
])('links the request %s', (request, place) => {
  expect(rendered(`\`${request}\``)).toBe(
    `<p><a href="./reference/${place}"><code>${request}</code></a></p>`,
  );
});

it.each(['POST /nothing', 'DELETE /leads', 'GET /leads/', 'PATCH {"a": 1}', '/leads', 'POST'])(
  'leaves other code as it is: %s',
  (code) => {
    expect(rendered(`\`${code}\``)).not.toContain('<a');
  },
);

it('nests no links', () => {
  expect(rendered('[see `POST /leads`](events.md)')).toBe(
    '<p><a href="./events">see <code>POST /leads</code></a></p>',
  );
  expect(rendered('## `POST /leads`')).toBe('<h2><code>POST /leads</code></h2>');
});

it('gives headings the anchors that GitHub gives them', () => {
  expect(anchorOf('`Idempotency-Key`: repeat, safely')).toBe('idempotency-key-repeat-safely');
});

it('lists, creates, gets, updates and deletes before all else in the reference', () => {
  const ids = (tag: string) =>
    operations.filter((each) => each.tag === tag).map(({ operation }) => operation.operationId);
  expect(ids('Leads').slice(0, 5)).toEqual([
    'listLeads',
    'createLead',
    'getLead',
    'updateLead',
    'deleteLead',
  ]);
  expect(ids('Webhooks').slice(0, 5)).toEqual([
    'listWebhooks',
    'createWebhook',
    'getWebhook',
    'updateWebhook',
    'deleteWebhook',
  ]);
  expect(ids('Imports').slice(0, 4)).toEqual(['listImports', 'createImport', 'getImport', 'updateImport']);
});
