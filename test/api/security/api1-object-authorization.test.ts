/**
 * OWASP API1:2023, broken object level authorization. The clients of an environment share its data, and scopes say what
 * each may do with it. Objects of the other environment, of another parent or another client are out of reach.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../../../generated/operations.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Endpoint, endpoints, readDocument } from '../../support/document.ts';
import { bodyOf, pathOf, typeOf } from '../../support/each-request.ts';
import { createLead } from '../../support/factories.ts';

/** All but the sandbox's own operations. */
const withId = endpoints(readDocument()).filter(
  ({ path, operationId }) =>
    path.includes('{id}') && operations[operationId as OperationId].environments.length === 2,
);

let app: TestApp;
let clients: Record<'production' | 'sandbox', TestClient>;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  clients = { production: await app.client(allScopes), sandbox: await app.client(allScopes, 'sandbox') };
});

afterAll(() => app.close());

describe('an object of production', () => {
  it.each(withId.map((endpoint): [string, Endpoint] => [endpoint.at, endpoint]))(
    'does not exist in the sandbox, whatever the scopes: %s',
    async (_, endpoint) => {
      const path = await pathOf(endpoint, { app, clients });
      const send = async (client: TestClient) => {
        const request = client[endpoint.method as 'post'](path);
        if (Object.keys(endpoint.bodies).length === 0) return request;
        return request.set('Content-Type', typeOf(endpoint)).send(await bodyOf(endpoint, { app }));
      };
      const { status, body } = await send(clients.sandbox);
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect((await send(clients.production)).status).toBeLessThan(300);
    },
  );
});

describe("a client's own data", () => {
  it('its tokens are revoked by nobody else', async () => {
    const [mine, other] = [await app.client(), await app.credentials()];
    const token = (mine.headers.Authorization ?? '').slice('Bearer '.length);
    await app.anonymous.post('/auth/revoke', { token, ...other }).expect(200);
    await mine.get('/auth/me').expect(200);
  });

  it('its Idempotency-Keys give nobody else its answers', async () => {
    const [mine, other] = [await app.client(), await app.client()];
    const input = { name: 'Ada', email: 'ada-of-mine@example.com' };
    const key = { 'Idempotency-Key': 'the-same-key' };
    await mine.with(key).post('/leads', input).expect(201);
    const { headers, body } = await other.with(key).post('/leads', input).expect(422);
    expect(body.code).toBe('duplicate_email');
    expect(headers).not.toHaveProperty('idempotency-replayed');
  });
});

describe('a client that may not read leads', () => {
  it('learns only the id of a lead by trying to create it again', async () => {
    const writer = await app.client(['leads:write']);
    const { id, email } = await createLead(clients.production);
    const refused = await writer.post('/leads', { name: 'Ada', email }).expect(422);
    expect(refused.body).toMatchObject({ code: 'duplicate_email', existing_id: id });
    expect(Object.keys(refused.body).sort()).toEqual([
      'code',
      'errors',
      'existing_id',
      'message',
      'request_id',
    ]);
    await writer.get(`/leads/${id}`).expect(403);
    await writer.get('/leads/lead_01h455vb4pex5vsknk084sn02q').expect(403);
  });
});
