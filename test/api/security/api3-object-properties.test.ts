/**
 * OWASP API3:2023, broken object property level authorization: what is read-only can't be written, by whatever operation,
 * and what is secret can't be read.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../../../generated/operations.ts';
import { issueApiKey } from '../../../src/clients/operator.ts';
import { makeApiClient, makeApiKey } from '../../support/api-clients.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Endpoint, endpoints, readDocument, type Schema } from '../../support/document.ts';
import { bodyOf, pathOf } from '../../support/each-request.ts';
import { createLead } from '../../support/factories.ts';
import { makeHook } from '../../support/hooks.ts';

const document = readDocument();
const all = endpoints(document);

/** Properties of every resource, and such as an attacker would try. */
const resourceProperties = Object.values(document.components.schemas)
  .filter(({ properties = {} }) => 'id' in properties && 'version' in properties)
  .flatMap(({ properties = {} }) => Object.keys(properties));
const tempting = ['admin', 'role', 'client_id', 'environment', 'search', 'deleted_at'];
// An error of a whole body or item is called `body`, too.
const guesses = [...new Set([...resourceProperties, ...tempting])].filter((name) => name !== 'body');

const writes = all.filter(
  ({ operationId, bodies }) =>
    'application/json' in bodies &&
    !['createToken', 'revokeToken', 'receiveInboundDelivery'].includes(operationId),
);

let app: TestApp;
let client: TestClient;
let clients: Record<'production' | 'sandbox', TestClient>;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
  clients = { production: client, sandbox: await app.client(allScopes, 'sandbox') };
});

afterAll(() => app.close());

/** Where fields of a resource stand in a body: at its top, and in the items of a batch. */
function closedParts(schema: Schema): [prefix: string, Schema][] {
  const { properties = {} } = schema;
  const items = properties.items?.items;
  const patch = items?.properties?.patch;
  return [
    ['', schema],
    ...(items ? ([['items.0.', items]] as [string, Schema][]) : []),
    ...(patch ? ([['items.0.patch.', patch]] as [string, Schema][]) : []),
  ];
}

function bodyWith(prefix: string, fields: object, body: Record<string, unknown>): object {
  if (prefix === '') return { ...body, ...fields };
  if (prefix === 'items.0.') return { ...body, items: [fields], atomic: true };
  return { ...body, items: [{ id: 'lead_x', patch: fields }], atomic: true };
}

describe('fields that a client may not set', () => {
  it.each(writes.map((endpoint): [string, Endpoint] => [endpoint.at, endpoint]))(
    'is refused by name: %s',
    async (_, endpoint) => {
      const { method, operationId, bodies } = endpoint;
      const isSandbox = operations[operationId as OperationId].environments.length === 1;
      const as = clients[isSandbox ? 'sandbox' : 'production'];
      const path = await pathOf(endpoint, { app, clients });
      const sent = await bodyOf(endpoint, { app });
      const valid = sent as Record<string, unknown>;
      const schema = bodies['application/json']?.schema ?? {};
      // Of a union, the kind that is sent.
      for (const [prefix, { properties = {} }] of closedParts(schema.oneOf?.[0] ?? schema)) {
        const unknown = guesses.filter((name) => !(name in properties));
        // A response names up to 50 fields.
        for (let start = 0; start < unknown.length; start += 30) {
          const some = unknown.slice(start, start + 30);
          const fields = Object.fromEntries(some.map((name) => [name, null]));
          const { body } = await as[method as 'post'](path, bodyWith(prefix, fields, valid)).expect(422);
          expect(Object.keys(body.errors)).toEqual(
            expect.arrayContaining(some.map((name) => `${prefix}${name}`)),
          );
        }
      }
    },
  );

  it('is not set by the names of prototypes either', async () => {
    const { id } = await createLead(client);
    for (const text of ['{"__proto__":{"version":9}}', '{"constructor":{"prototype":{"version":9}}}']) {
      await client.patch(`/leads/${id}`, text).expect(422);
    }
    expect((await client.get(`/leads/${id}`).expect(200)).body.data.version).toBe(1);
    expect({}).not.toHaveProperty('version');
  });
});

describe('a secret', () => {
  const reads = all.filter(({ method, path }) => method === 'get' && !path.includes('{external_id}'));

  it('is in the answer that makes it, and no operation of the contract shows it again', async () => {
    const made = await makeApiClient(client);
    const key = await makeApiKey(client, made.id);
    const rotated = await client.post(`/clients/${made.id}/rotate-secret`).expect(200);
    const { client_id } = await app.credentials(['read']);
    const operatorKey = await issueApiKey(app.production, {
      clientId: client_id,
      name: 'Key',
      scopes: undefined,
      expiresAt: null,
    });
    const verification = { type: 'shared_header', header: 'X-Secret', secret: `shared-${randomUUID()}` };
    const hook = await makeHook(client, { verification });
    const url = 'https://example.com/hooks';
    const webhook = await client.post('/webhooks', { url, event_types: ['*'] }).expect(201);
    const rotatedWebhook = await client.post(`/webhooks/${webhook.body.data.id}/rotate-secret`).expect(200);
    const secrets = [
      made.client_secret,
      key.api_key,
      rotated.body.data.client_secret,
      operatorKey.api_key,
      verification.secret,
      hook.token,
      webhook.body.data.secret,
      rotatedWebhook.body.data.secret,
    ];
    for (const secret of secrets) expect(secret).toMatch(/^.{20,}$/);
    const ids: Record<string, string> = {
      clients: made.id,
      'inbound-hooks': hook.id,
      webhooks: webhook.body.data.id,
    };
    let shown = 0;
    for (const endpoint of reads) {
      const [, kind = ''] = endpoint.path.split('/');
      const known = endpoint.path.replace('{id}', ids[kind] ?? '{id}').replace('{key_id}', key.id);
      const path = known.includes('{') ? await pathOf(endpoint, { app, clients }) : known;
      const { status, text } = await client.get(path);
      if (status === 200) shown += 1;
      for (const secret of secrets) expect([path, text?.includes(secret)]).toEqual([path, false]);
    }
    expect(shown).toBeGreaterThan(30);
  });
});
