import { expect, test, vi } from 'vitest';
import { bundled, leads, overlay, root } from '../support/bundled.ts';

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

const shared = `paths:
  '/{resources}':
    x-for: [lead, contact]
    get:
      operationId: list{Resources}
      summary: { x-lead: List leads, x-contact: List people }
      externalDocs: { x-contact: { url: /guides/ } }
      responses:
        '200':
          description: All {resources}.
          schema: { $ref: '#/components/schemas/{Resource}Name' }
          example: { x-lead: Ada, x-contact: Grace }
components:
  schemas:
    '{Resource}Name':
      x-for: [lead, contact]
      type: string
      description: The name of the {resource}.
`;
const sharedRoot = root.replace(
  'components:',
  "  /contacts: { $ref: './leads.yaml#/paths/~1contacts' }\ncomponents:",
);

test('a text for several resources is written once, with what differs at its place', async () => {
  const { paths, components } = await bundled({ root: sharedRoot, leads: shared });

  const operation = (noun: string, example: string) => ({
    responses: {
      200: {
        description: `All ${noun.toLowerCase()}s.`,
        content: {
          'application/json': { schema: { $ref: `#/components/schemas/${noun}Name` }, example },
        },
      },
      500: { $ref: '#/components/responses/Failed' },
    },
  });
  expect(paths).toEqual({
    '/leads': {
      get: {
        operationId: 'listLeads',
        summary: 'List leads',
        'x-rate-limit': 'read',
        ...operation('Lead', 'Ada'),
      },
    },
    '/contacts': {
      get: {
        operationId: 'listContacts',
        summary: 'List people',
        'x-rate-limit': 'read',
        externalDocs: { url: '/guides/' },
        ...operation('Contact', 'Grace'),
      },
    },
  });
  expect(components?.schemas).toEqual({
    LeadName: { type: 'string', description: 'The name of the lead.' },
    ContactName: { type: 'string', description: 'The name of the contact.' },
  });
});

test('a document that breaks OpenAPI is reported', async () => {
  await expect(bundled({ root: root.replace('title: Test, ', '') })).rejects.toThrow(
    'The document is not valid OpenAPI: #/info The field `title` must be present on this level.',
  );
});
