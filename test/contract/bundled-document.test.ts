import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bundledDocument } from '../../scripts/generate/bundled-document.ts';

const root = `openapi: 3.1.0
info: { title: Test, version: 1.0.0 }
paths:
  /leads: { $ref: './leads.yaml#/paths/~1leads' }
components:
  responses:
    Failed: { description: The request failed. }
`;
const leads = `paths:
  /leads:
    get:
      operationId: listLeads
      responses:
        '200': { description: All leads. }
`;
const overlay = `overlay: 1.1.0
info: { title: Test, version: 1.0.0 }
actions:
  - target: $.paths.*[?(@.operationId)].responses
    update: { '500': { $ref: '#/components/responses/Failed' } }
`;

test('the overlay adds to the operations', async () => {
  const document = await bundled({});

  expect(document.paths?.['/leads']?.get?.responses).toEqual({
    200: { description: 'All leads.' },
    500: { $ref: '#/components/responses/Failed' },
  });
});

test('a reference to nothing is reported with its file and line', async () => {
  const broken = leads.replace('{ description: All leads. }', "{ $ref: './gone.yaml#/Leads' }");

  await expect(bundled({ leads: broken })).rejects.toThrow(/leads\.yaml:6:16: Can't resolve \$ref/);
});

test('a file that is not YAML is reported with its line', async () => {
  await expect(bundled({ leads: `${leads}  - broken: [` })).rejects.toThrow(/leads\.yaml:7:\d+: /);
});

test('an overlay action that matches nothing is reported', async () => {
  const broken = overlay.replace('@.operationId', '@.operation');

  await expect(bundled({ overlay: broken })).rejects.toThrow(
    /overlay\.yaml: nothing matches the target \$\.paths\.\*\[\?\(@\.operation\)\]\.responses/,
  );
});

test('an overlay target other than JSONPath is reported', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken = overlay.replace('[?(@.operationId)]', '[?(@.operationId');

  await expect(bundled({ overlay: broken })).rejects.toThrow(/overlay\.yaml: nothing matches the target/);
});

test('a webhook without a schema for its data is reported', async () => {
  const webhooks = `webhooks:
  lead.created:
    post:
      summary: A lead was created
      requestBody: { content: { application/json: { schema: {} } } }
components:
  schemas:
    ApiEvent: { type: object }
`;

  await expect(bundled({ root: root.replace('components:\n', webhooks) })).rejects.toThrow(
    'openapi/events.yaml: the schema of the webhook lead.created has no property data',
  );
});

const twins = `paths:
  /leads:
    get:
      operationId: listLeads
      summary: List leads
      responses:
        '200':
          description: All leads.
          content: { application/json: { schema: { $ref: '#/components/schemas/LeadName' } } }
  /contacts:
    x-twin-of: /leads
    get: { summary: List people }
components:
  schemas:
    LeadName: { type: string, description: The name of the lead. }
`;
const twinRoot = root.replace(
  'components:',
  "  /contacts: { $ref: './leads.yaml#/paths/~1contacts' }\ncomponents:",
);

test('a twin has the description of its original, except for the noun and its own differences', async () => {
  const { paths, components } = await bundled({ root: twinRoot, leads: twins });

  expect(paths?.['/contacts']).toEqual({
    get: {
      operationId: 'listContacts',
      summary: 'List people',
      responses: {
        200: {
          description: 'All contacts.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ContactName' } } },
        },
        500: { $ref: '#/components/responses/Failed' },
      },
    },
  });
  expect(components?.schemas?.ContactName).toEqual({
    type: 'string',
    description: 'The name of the contact.',
  });
});

test('a twin of nothing is reported', async () => {
  const broken = twins.replace('x-twin-of: /leads', 'x-twin-of: /people');

  await expect(bundled({ root: twinRoot, leads: broken })).rejects.toThrow(
    '/contacts is the twin of /people, which is not described',
  );
});

test('a document that breaks OpenAPI is reported', async () => {
  await expect(bundled({ root: root.replace('title: Test, ', '') })).rejects.toThrow(
    'The document is not valid OpenAPI: #/info The field `title` must be present on this level.',
  );
});

async function bundled(files: { root?: string; leads?: string; overlay?: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'v1.yaml'), files.root ?? root);
  await writeFile(join(folder, 'leads.yaml'), files.leads ?? leads);
  await writeFile(join(folder, 'overlay.yaml'), files.overlay ?? overlay);
  return bundledDocument(folder);
}
