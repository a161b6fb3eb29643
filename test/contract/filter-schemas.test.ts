import { expect, test } from 'vitest';
import { bundled, root } from '../support/bundled.ts';

const leads = `x-lists:
  Lead: [StatusFilter, TagFilter, Phone, { x-sort: LeadOrder }]
paths:
  /leads:
    get:
      operationId: listLeads
      x-list: Lead
      responses:
        '200': { description: All leads. }
    post:
      operationId: changeLeads
      requestBody: { schema: LeadFilter }
      responses:
        '204': { description: Changed. }
components:
  parameters:
    StatusFilter:
      name: status
      description: |
        Leads with this status.
      x-in-url: Repeat it for several.
      x-values: { $ref: '#/components/schemas/LeadStatus' }
      example: [new]
    TagFilter: { name: tag, description: Leads with these values., schema: { $ref: '#/components/schemas/Values' } }
    Phone: { name: phone, description: Leads with this number., schema: { type: string, maxLength: 20 } }
    Page: { name: page, schema: { type: integer } }
    PerPage: { name: per_page, schema: { type: integer } }
    Cursor: { name: cursor, schema: { type: string } }
  schemas:
    LeadStatus: { type: string, enum: [new, won] }
    LeadOrder: { x-order: [name] }
    Values: { type: object, additionalProperties: { type: string, maxLength: 9 } }
    LeadFilter:
      description: What leads must match.
      x-filters-of: listLeads
`;

test('x-filters-of makes an object with the filters of a list, which may not be empty', async () => {
  const { components } = await bundled({ leads });

  expect(components?.schemas?.LeadFilter).toEqual({
    type: 'object',
    description: 'What leads must match.',
    additionalProperties: false,
    properties: {
      status: {
        description: 'Leads with this status.\n',
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: { $ref: '#/components/schemas/LeadStatus' },
        examples: [['new']],
      },
      tag: {
        $ref: '#/components/schemas/Values',
        description: 'Leads with these values.',
        minProperties: 1,
        additionalProperties: { type: 'string', maxLength: 9, minLength: 1 },
      },
      phone: { description: 'Leads with this number.', type: 'string', maxLength: 20, minLength: 1 },
    },
  });
});

test('x-in-url is told about the parameter only', async () => {
  const { components } = await bundled({ leads });

  expect(components?.parameters?.StatusFilter).toMatchObject({
    description: 'Leads with this status. Repeat it for several.',
  });
  expect(components?.parameters?.StatusFilter).not.toHaveProperty('x-in-url');
});

test('a list that does not exist has no filters', async () => {
  const broken = leads.replace('x-filters-of: listLeads', 'x-filters-of: listCats');

  await expect(bundled({ leads: broken, root })).rejects.toThrow(
    'The schema LeadFilter has filters of listCats, which does not exist',
  );
});
