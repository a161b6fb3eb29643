import { expect, test } from 'vitest';
import { bundled, leads, root } from '../support/bundled.ts';

const lead = `components:
  schemas:
    Lead:
      type: object
      description: A lead.
      required: [name, status, tags]
      properties:
        name: { type: string, examples: [Ada Lovelace] }
        status: { $ref: '#/components/schemas/Status' }
        tags: { type: array, items: { type: object, required: [name], properties: { name: { type: string, enum: [vip] } } } }
        phone: { type: string, examples: ['+4915112345678'] }
    Status: { type: string, enum: [new, won] }
`;
const events = `x-event-types:
  lead.updated:
    data: LeadEventData
    summary: A lead was updated
    description: Somebody updated a lead.
    example:
      occurred_at: '2026-11-21T00:00:00.000Z'
      changes: { name: { from: Ada, to: Ada Lovelace } }
components:
  schemas:
    LeadEventData:
      type: object
      required: [object, changes]
      properties:
        object: { $ref: './leads.yaml#/components/schemas/Lead' }
        changes: { $ref: '#/components/schemas/LeadChanges' }
    TextChange: { description: A text., x-change: { type: string, maxLength: 9 } }
    OptionalTextChange: { description: A text or null., x-change: { type: [string, 'null'] } }
    TagsChange: { description: The tags., x-change: { type: array, description: All tags } }
    StatusChange: { description: The status., x-change: { $ref: './leads.yaml#/components/schemas/Status' } }
    DigestChange: { description: A digest., x-change: { type: string } }
    LeadChanges:
      description: What changed.
      x-changes-of: { $ref: './leads.yaml#/components/schemas/Lead' }
      x-constant: [phone]
    EventType: { type: string, enum: [] }
    ApiEvent:
      type: object
      description: An event.
      required: [type, occurred_at, data]
      properties:
        type: { type: string, description: What happened. }
        occurred_at: { type: string, examples: ['2026-11-20T00:00:00.000Z'] }
`;
const eventRoot = `${root}webhooks: { $ref: './events.yaml#/webhooks' }\n`;

test('an event type has a webhook, a schema and an example with what differs', async () => {
  const { webhooks, components } = await bundled({ root: eventRoot, leads: leads + lead, events });

  const $ref = '#/components/schemas/LeadUpdatedEvent';
  expect(webhooks?.['lead.updated']).toMatchObject({
    post: {
      operationId: 'leadUpdated',
      summary: 'A lead was updated',
      description: 'Somebody updated a lead.',
    },
  });
  expect(webhooks).toHaveProperty(['lead.updated', 'post', 'requestBody', 'content', 'application/json'], {
    schema: { $ref },
    example: {
      type: 'lead.updated',
      occurred_at: '2026-11-21T00:00:00.000Z',
      data: {
        object: {
          name: 'Ada Lovelace',
          status: 'new',
          tags: [{ name: 'vip' }],
          updated_at: '2026-11-21T00:00:00.000Z',
        },
        changes: { name: { from: 'Ada', to: 'Ada Lovelace' } },
      },
    },
  });
  expect(components?.schemas?.LeadUpdatedEvent).toMatchObject({
    description: 'A lead was updated.',
    properties: { type: { enum: ['lead.updated'] }, data: { $ref: '#/components/schemas/LeadEventData' } },
  });
});

test('the changes of an event have the fields that can change', async () => {
  const { components } = await bundled({ root: eventRoot, leads: leads + lead, events });

  expect(components?.schemas?.LeadChanges).toEqual({
    type: 'object',
    description: 'What changed.',
    additionalProperties: false,
    properties: {
      name: { $ref: '#/components/schemas/TextChange' },
      status: { $ref: '#/components/schemas/StatusChange' },
      tags: { $ref: '#/components/schemas/TagsChange' },
      tags_sha256: { $ref: '#/components/schemas/DigestChange' },
    },
  });
  expect(components?.schemas?.TextChange).toEqual({
    type: 'object',
    description: 'A text.',
    additionalProperties: false,
    required: ['from', 'to'],
    properties: {
      from: { type: 'string', maxLength: 9, description: 'The value before the change.' },
      to: { type: 'string', maxLength: 9, description: 'The value after the change.' },
    },
  });
});

test.each([
  ['data: LeadEventData', 'data: Gone', /Can't resolve \$ref/],
  [
    "Lead' }\n      x-constant",
    "Gone' }\n      x-constant",
    'leads.yaml#/components/schemas/Gone does not exist',
  ],
])('%j that becomes %j in the table of events is reported', async (before, after, message) => {
  const broken = events.replace(before, after);

  await expect(bundled({ root: eventRoot, leads: leads + lead, events: broken })).rejects.toThrow(message);
});

test.each([
  ['example: { status: won }', { example: { name: 'Ada Lovelace', status: 'won', tags: [{ name: 'vip' }] } }],
  [
    'examples: { many: { value: { phone: "1", tags: [{}, { name: gold }] } } }',
    {
      examples: {
        many: {
          value: {
            name: 'Ada Lovelace',
            status: 'new',
            tags: [{ name: 'vip' }, { name: 'gold' }],
            phone: '1',
          },
        },
      },
    },
  ],
  ['', { examples: { example: { $ref: '#/components/examples/Lead' } } }],
])('an example gets the required fields that it leaves out: %s', async (example, expected) => {
  const schema = `schema: { $ref: '#/components/schemas/Lead' }`;
  const content = `, content: { application/json: { ${[schema, example].filter(Boolean).join(', ')} } } }`;
  const { paths, components } = await bundled({ leads: leads.replace(' }', content) + lead });

  const response = paths?.['/leads']?.get?.responses?.[200];
  expect(response).toMatchObject({ content: { 'application/json': expected } });
  if (example === '') {
    const value = { name: 'Ada Lovelace', status: 'new', tags: [{ name: 'vip' }] };
    expect(components?.examples).toEqual({ Lead: { summary: 'A lead', value } });
  }
});

test('a required field without an example is reported', async () => {
  const broken = lead.replace(', examples: [Ada Lovelace]', '');
  const content = `, content: { application/json: { schema: { $ref: '#/components/schemas/Lead' } } } }`;

  await expect(bundled({ leads: leads.replace(' }', content) + broken })).rejects.toThrow(
    "The example of the 200 of listLeads.name can't be made: its schema has no example.",
  );
});
