/**
 * OWASP API6:2023, unrestricted access to sensitive business flows: filling the pipeline with leads, flooding a subscriber
 * and trying secrets are bounded by client, hook or address, however many credentials or requests at once somebody uses.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { leadInput, uniqueEmail } from '../../support/factories.ts';
import { makeHook, send } from '../../support/hooks.ts';
import { make } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

const QUOTA = 3;

let app: TestApp;

afterEach(() => app.close());

const statuses = async (requests: PromiseLike<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status).toSorted();

describe('leads', () => {
  it('are created within one quota per client, shared by all of its tokens and keys', async () => {
    app = await startTestApp({ rateLimits: { write: QUOTA } });
    const credentials = await app.credentials(['read', 'write']);
    const ways: Record<string, string>[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { body } = await app.anonymous.post('/auth/token', {
        grant_type: 'client_credentials',
        ...credentials,
      });
      ways.push({ Authorization: `Bearer ${body.access_token}` });
      const { api_key } = await issueApiKey(app.production, {
        clientId: credentials.client_id,
        name: 'Key',
        scopes: undefined,
        expiresAt: null,
      });
      ways.push({ 'X-API-Key': api_key });
    }
    const all = ways.flatMap((headers) =>
      [1, 2].map(() => app.anonymous.with(headers).post('/leads', leadInput())),
    );
    expect(await statuses(all)).toEqual([...Array(QUOTA).fill(201), ...Array(all.length - QUOTA).fill(429)]);
    expect(await app.production.knex('leads')).toHaveLength(QUOTA);
  });

  it('come in by a hook within its quota, though no lead is made twice of one email', async () => {
    app = await startTestApp({ rateLimits: { inbound: QUOTA } });
    const hook = await makeHook(await app.client());
    const email = uniqueEmail();
    const all = Array.from({ length: 6 }, (_, n) => send(app, hook, { name: `Ada ${n}`, email }));
    expect(await statuses(all)).toEqual([...Array(QUOTA).fill(202), ...Array(6 - QUOTA).fill(429)]);
    expect(await app.production.knex('leads').where({ email })).toHaveLength(1);
  });

  it('of a batch are bounded apart from single ones, and so is the size of a batch', async () => {
    app = await startTestApp({ rateLimits: { batch: 1 } });
    const client = await app.client();
    await client.post('/leads/batch/create', { items: [leadInput()] }).expect(200);
    await client.post('/leads/batch/create', { items: [leadInput()] }).expect(429);
    await client.post('/leads', leadInput()).expect(201);
  });
});

describe('a subscriber', () => {
  it('can not be flooded with tests, replays or redeliveries beyond the quota of writes', async () => {
    app = await startTestApp({ rateLimits: { write: QUOTA } });
    const client = await app.client();
    const { id } = await make(client, webhooks);
    const all = Array.from({ length: 6 }, () => client.post(`/webhooks/${id}/test`));
    expect(await statuses(all)).toEqual([...Array(QUOTA - 1).fill(202), ...Array(7 - QUOTA).fill(429)]);
    expect(await app.production.knex('webhook_deliveries')).toHaveLength(QUOTA - 1);
  });
});

describe('tokens', () => {
  it('are issued within the quota of the client, whatever addresses ask', async () => {
    app = await startTestApp({ rateLimits: { tokenClient: QUOTA }, trustProxy: 1 });
    const credentials = await app.credentials();
    const all = Array.from({ length: 6 }, (_, n) =>
      app.anonymous
        .with({ 'X-Forwarded-For': `198.51.100.${n}`, 'X-Forwarded-Proto': 'https' })
        .post('/auth/token', { grant_type: 'client_credentials', ...credentials }),
    );
    expect(await statuses(all)).toEqual([...Array(QUOTA).fill(200), ...Array(6 - QUOTA).fill(429)]);
  });
});
