import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';

/** One of each thing that a later contract could break. */
function example() {
  return {
    openapi: '3.1.0',
    info: { title: 'Leads', version: '1.0.0', description: 'Leads.' },
    servers: [{ url: '/v1', description: 'Production' }, { url: '/sandbox/v1' }],
    paths: {
      '/leads': {
        get: {
          operationId: 'listLeads',
          summary: 'List leads',
          security: [{ oauth2: ['leads:read'] }, { apiKey: ['leads:read'] }],
          parameters: [
            { $ref: '#/components/parameters/PerPage' },
            { name: 'status', in: 'query', schema: { type: 'string', enum: ['new', 'won'] } },
            { name: 'tag', in: 'query', style: 'form', explode: false, schema: { type: 'string' } },
          ],
          responses: { 200: { $ref: '#/components/responses/Leads' }, 429: { description: 'Too many' } },
        },
        post: {
          operationId: 'createLead',
          security: [{ oauth2: ['leads:write'] }],
          parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
          requestBody: {
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/LeadInput' } },
              'application/x-www-form-urlencoded': { schema: { type: 'object' } },
            },
          },
          responses: { 201: { description: 'The lead.' } },
        },
      },
      '/health': {
        get: { operationId: 'getHealth', security: [], responses: { 204: { description: 'Well.' } } },
      },
    },
    webhooks: {
      'lead.created': {
        post: {
          operationId: 'leadCreated',
          parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Lead' } } } },
          responses: { '2XX': { description: 'Received.' } },
        },
      },
    },
    components: {
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: 'https://api.example.com',
              scopes: { 'leads:read': 'Read', 'leads:write': 'Write' },
            },
          },
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      parameters: {
        PerPage: { name: 'per_page', in: 'query', schema: { type: 'integer', maximum: 100, default: 25 } },
      },
      responses: {
        Leads: {
          description: 'A page.',
          headers: { ETag: { required: true, schema: { type: 'string' } } },
          content: {
            'application/json': {
              schema: { type: 'array', items: { $ref: '#/components/schemas/Lead' } },
            },
            'text/csv': { schema: { type: 'string' } },
          },
        },
      },
      schemas: {
        Lead: {
          type: 'object',
          description: 'A lead.',
          required: ['name', 'status'],
          properties: {
            name: { type: 'string', maxLength: 200 },
            status: { type: 'string', enum: ['new', 'won'] },
            description: { type: 'string', description: 'More.' },
          },
        },
        LeadInput: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 200 }, phone: { type: 'string' } },
        },
      },
    },
  };
}

export function exampleDocument(): OpenAPI.Document {
  return example() as unknown as OpenAPI.Document;
}

/** The example with another value at the place that the words name, or with nothing there. */
export function changed(at: string, value?: unknown): OpenAPI.Document {
  const document = example() as Record<string, unknown>;
  const keys = at.split(' ');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((node, key) => node[key] as Record<string, unknown>, document);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return document as unknown as OpenAPI.Document;
}
