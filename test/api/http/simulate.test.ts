import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let sandbox: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, rateLimits: { write: 1e6 } });
  sandbox = await app.client(undefined, 'sandbox');
});

afterAll(() => app.close());

const simulating = (value: string, client = sandbox) => client.with({ Simulate: value });

describe('Simulate, in the sandbox', () => {
  it.each([
    ['rate_limited', 429, 'rate_limited'],
    ['unavailable', 503, 'unavailable'],
    ['timeout', 503, 'query_timeout'],
  ])('%s answers %i %s with Retry-After, and carries nothing out', async (value, status, code) => {
    const { body: before } = await sandbox.get('/leads').expect(200);
    for (const answer of [
      await simulating(value).get('/leads'),
      await simulating(value).post('/leads', leadInput()),
      await simulating(value).delete('/leads/x'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(answer.headers['x-environment']).toBe('sandbox');
    }
    const { body: after } = await sandbox.get('/leads').expect(200);
    expect(after.meta.total).toBe(before.meta.total);
  });

  it('reports that no requests are left when it simulates a limit', async () => {
    const { headers } = await simulating('rate_limited').get('/leads').expect(429);
    expect(headers.ratelimit).toBe('"read"; r=0; t=1');
    expect(headers['ratelimit-policy']).toContain('"read"; q=1000000; w=60');
  });

  it('conflict answers 412 where the operation takes If-Match, even if the version is right', async () => {
    const lead = await createLead(sandbox);
    const update = simulating('conflict').with({ 'If-Match': '"1"' });
    const { body } = await update.patch(`/leads/${lead.id}`, { name: 'Changed' }).expect(412);
    expect(body.code).toBe('version_mismatch');
    const { body: read } = await sandbox.get(`/leads/${lead.id}`).expect(200);
    expect(read.data).toEqual(lead);
    await expectRefusal(simulating('conflict').get('/leads'), {
      status: 400,
      field: 'Simulate',
      code: 'invalid_parameter',
    });
  });

  it('slow carries the request out after so many milliseconds', async () => {
    const startedAt = performance.now();
    await simulating('slow=300').post('/leads', leadInput()).expect(201);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295);
    await simulating('slow=0').get('/leads').expect(200);
  });

  it.each(['slow=10001', 'slow=99999999', 'slow=-1', 'slow=1e3', 'slow', 'slow=', 'flood', 'constructor'])(
    'refuses %j',
    async (value) => {
      await expectRefusal(simulating(value).get('/leads'), {
        status: 400,
        field: 'Simulate',
        code: 'invalid_parameter',
      });
    },
  );

  it('makes a request for a token fail, as OAuth libraries expect it', async () => {
    const { client_id, client_secret } = await app.credentials(['read'], 'sandbox');
    const anonymous = app.anonymous.at(`${app.url}/sandbox/v1`).with({ Simulate: 'unavailable' });
    const body = { grant_type: 'client_credentials', client_id, client_secret };
    const answer = await anonymous.post('/auth/token', body).expect(503);
    expect(answer.body).toMatchObject({ code: 'unavailable', error: expect.any(String) });
  });

  it('is only for clients with a valid token and the scope', async () => {
    await simulating('unavailable', app.anonymous.at(`${app.url}/sandbox/v1`))
      .get('/leads')
      .expect(401);
    const reader = await app.client(['contacts:read'], 'sandbox');
    await simulating('unavailable', reader).get('/leads').expect(403);
  });

  it('counts against the limits', async () => {
    const limited = await startTestApp({ beside: app, rateLimits: { read: 2 } });
    const client = simulating('unavailable', sandbox.at(`${limited.url}/sandbox/v1`));
    await client.get('/leads').expect(503);
    await client.get('/leads').expect(503);
    expect((await client.get('/leads').expect(429)).body.message).toMatch(/^Too many requests/);
    await limited.close();
  });
});

describe('Simulate, in production', () => {
  it.each(['rate_limited', 'unavailable', 'timeout', 'conflict', 'slow=2000', 'flood'])(
    'refuses %s',
    async (value) => {
      const client = simulating(value, await app.client());
      await expectRefusal(client.post('/leads', leadInput()), {
        status: 400,
        field: 'Simulate',
        code: 'invalid_parameter',
      });
    },
  );
});
