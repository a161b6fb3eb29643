/** How `npm run generate` makes a page of a chapter. test/api/pages.test.ts follows the links of all pages. */
import { expect, it } from 'vitest';
import { operationLinks } from '../../scripts/generate/guides/operation-links.ts';
import { readGroups } from '../../scripts/generate/guides/readme.ts';
import { render } from '../../scripts/generate/guides/render.ts';
import { readDocument } from '../../src/http/validation/document.ts';
import { readPage } from '../support/markdown.ts';

const operationOf = operationLinks((await readDocument()) as Parameters<typeof operationLinks>[0]);
const pages = new Map([
  ['docs/events.md', 'guides/events'],
  ['README.md#a-tour', 'guides/tour'],
]);

const rendered = (markdown: string, path = 'docs/webhooks.md') =>
  render({ markdown, path, root: '../' }, { pages, operationOf }).trim();

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
  ['another chapter', '[x](events.md#read)', '<a href="../guides/events#read">x</a>'],
  ['the tour', '[x](../README.md#a-tour)', '<a href="../guides/tour">x</a>'],
  ['another section of the README', '[x](../README.md#run)', '<a href="../guides/">x</a>'],
  ['the same page', '[x](#y)', '<a href="#y">x</a>'],
  ['another site', '[x](https://example.com/#y)', '<a href="https://example.com/#y">x</a>'],
  ['a file that is served', '[x](../openapi/v1.yaml)', '<a href="../openapi.yaml">x</a>'],
  [
    'a file that is not served',
    '[x](../deploy/nginx/processes.conf)',
    '<span class="file">x (<code>deploy/nginx/processes.conf</code> in the repository)</span>',
  ],
  [
    'a file that the text names',
    '[`compose.yaml`](../compose.yaml)',
    '<span class="file"><code>compose.yaml</code> in the repository</span>',
  ],
])('turns a link to %s', (_, markdown, html) => {
  expect(rendered(markdown)).toBe(`<p>${html}</p>`);
});

it.each([
  ['POST /leads', 'docs#/Leads/createLead'],
  ['GET /v1/leads?status=new', 'docs#/Leads/listLeads'],
  ['GET /leads/lead_1', 'docs#/Leads/getLead'],
  ['GET /leads/export', 'docs#/Leads/exportLeads'],
  ['POST /clients/{id}/keys/{key_id}/revoke', 'docs#/API%20clients/revokeApiKey'],
])('links the request %s', (request, place) => {
  expect(rendered(`\`${request}\``)).toBe(`<p><a href="../${place}"><code>${request}</code></a></p>`);
});

it.each(['POST /nothing', 'DELETE /leads', 'GET /leads/', 'PATCH {"a": 1}', '/leads', 'POST'])(
  'leaves other code as it is: %s',
  (code) => {
    expect(rendered(`\`${code}\``)).not.toContain('<a');
  },
);

it('nests no links, and gives repeated headings the anchors that GitHub gives them', () => {
  expect(rendered('## `POST /leads`\n\n## Two, *words*\n\n## Two words').replaceAll('\n', '')).toBe(
    '<h2 id="post-leads"><a href="#post-leads"><code>POST /leads</code></a></h2>' +
      '<h2 id="two-words"><a href="#two-words">Two, <em>words</em></a></h2>' +
      '<h2 id="two-words-1"><a href="#two-words-1">Two words</a></h2>',
  );
  expect(rendered('[see `POST /leads`](events.md)')).toBe(
    '<p><a href="../guides/events">see <code>POST /leads</code></a></p>',
  );
});

it('takes HTML as text, except for comments, which mark generated tables', () => {
  expect(rendered('<!-- codes: generated -->\n\n<b onclick="x()">a</b>')).toBe(
    '<p>&lt;b onclick=&quot;x()&quot;&gt;a&lt;/b&gt;</p>',
  );
});
