/** Credentials that are made up cost the database next to nothing, and keep nobody out. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issueApiKey, withdrawApiKey } from '../../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput } from '../../support/factories.ts';
import { type Hook, makeHook, send } from '../../support/hooks.ts';
import { type WatchedQueries, watchQueries } from '../../support/queries.ts';

const LIMIT = 5;

let app: TestApp;
let client: TestClient;
let queries: WatchedQueries;

beforeEach(async () => {
  app = await startTestApp({ rateLimits: { anonymous: LIMIT } });
  client = await app.client();
  queries = watchQueries(app);
});

afterEach(() => app.close());

const madeUp = (prefix: string) => `${prefix}_${randomBytes(32).toString('base64url')}`;
const show = (apiKey: string) => app.anonymous.get('/leads').set('X-API-Key', apiKey);
const bring = (token: string) => send(app, { token }, leadInput());

async function newKey() {
  const clientId = (await app.credentials()).client_id;
  const key = { clientId, name: 'Test', scopes: ['read'], expiresAt: null };
  return issueApiKey(app.production, key);
}

/** How often the database is asked for a key or a hook by its secret during these requests, and what they are answered. */
async function cost(...requests: (() => Promise<{ status: number }>)[]) {
  const before = queries.sent.length;
  const statuses = [];
  for (const request of requests) statuses.push((await request()).status);
  const asked = queries.sent.slice(before).filter((text) => /\bkey_hash\b|\btoken_hash\b/.test(text));
  return { asked: asked.length, statuses };
}

const times = <Item>(count: number, item: () => Item) => Array.from({ length: count }, item);

const kinds = [
  { kind: 'an API key', refused: 401, accepted: 200, prefix: 'lpk_live', use: show },
  { kind: 'the token of a hook', refused: 404, accepted: 202, prefix: 'lph_live', use: bring },
] as const;

describe.each(kinds)('$kind', ({ refused, accepted, prefix, use }) => {
  const newSecret = async () =>
    prefix === 'lpk_live' ? (await newKey()).api_key : (await makeHook(client)).token;

  it('costs no query where it has not the shape of one of this environment', async () => {
    const secret = madeUp(prefix);
    const wrong = [
      'x',
      `${prefix}_`,
      secret.slice(0, -1),
      `${secret}A`,
      secret.replace('live', 'test'),
      secret.toUpperCase(),
    ];
    const { asked, statuses } = await cost(...wrong.map((text) => () => use(text)));
    expect(statuses).toEqual([...Array(LIMIT).fill(refused), 429]);
    expect(asked).toBe(0);
  });

  it('costs one query where nobody has it, however often it comes, and keeps nobody out', async () => {
    const secret = madeUp(prefix);
    const { asked, statuses } = await cost(...times(50, () => () => use(secret)));
    expect(statuses).toEqual([...Array(LIMIT).fill(refused), ...Array(50 - LIMIT).fill(429)]);
    expect(asked).toBe(1);
    // From the same address, though it has used its quota up: never seen before, and again.
    for (const valid of [await newSecret(), await newSecret()]) {
      expect((await use(valid)).status).toBe(accepted);
      expect((await use(valid)).status).toBe(accepted);
    }
  });

  it('costs as many queries as the quota allows where it is another one each time', async () => {
    const [seen, unseen] = [await newSecret(), await newSecret()];
    expect((await use(seen)).status).toBe(accepted);
    const { asked, statuses } = await cost(...times(50, () => () => use(madeUp(prefix))));
    expect(statuses).toEqual([...Array(LIMIT).fill(refused), ...Array(50 - LIMIT).fill(429)]);
    expect(asked).toBe(LIMIT);
    // Whoever was here before, or has a token, still gets through; a newcomer waits for the next minute.
    expect((await use(seen)).status).toBe(accepted);
    expect((await client.get('/leads')).status).toBe(200);
    expect((await app.client()).headers).toHaveProperty('Authorization');
    const newcomer = await use(unseen);
    expect(newcomer.status).toBe(429);
    expect(newcomer.body.code).toBe('rate_limited');
    expect(newcomer.headers['retry-after']).toMatch(/^[1-6]?\d$/);
    expect(newcomer.headers.ratelimit).toMatch(/^"anonymous"; r=0; t=\d+$/);
  });

  it('keeps nobody out at another address', async () => {
    const proxied = await startTestApp({ beside: app, rateLimits: { anonymous: 1 }, trustProxy: 1 });
    try {
      const secret = await newSecret();
      const from = (address: string, credential: string) => {
        const headers = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' };
        const as = proxied.anonymous.with(headers);
        return prefix === 'lpk_live'
          ? as.get('/leads').set('X-API-Key', credential)
          : as.post(`/hooks/${credential}`, leadInput());
      };
      expect((await from('198.51.100.1', madeUp(prefix))).status).toBe(refused);
      expect((await from('198.51.100.1', madeUp(prefix))).status).toBe(429);
      expect((await from('198.51.100.1', secret)).status).toBe(429);
      expect((await from('198.51.100.2', secret)).status).toBe(accepted);
      expect((await from('198.51.100.1', secret)).status).toBe(accepted);
    } finally {
      await proxied.close();
    }
  });
});

describe('an API key that was revoked', () => {
  it('costs no query after its first 401, however often it comes', async () => {
    const { key_id, api_key } = await newKey();
    // Without a limit, so that each answer shows what became of the key.
    const unlimited = await startTestApp({ beside: app });
    queries = watchQueries(unlimited);
    const use = () => unlimited.anonymous.get('/leads').set('X-API-Key', api_key);
    try {
      expect((await use()).status).toBe(200);
      await withdrawApiKey(app.production, key_id);
      await expect.poll(async () => (await use()).status).toBe(401);
      // A process that has not heard from PostgreSQL for a second asks again.
      await expect
        .poll(() => cost(...times(20, () => use)), { timeout: 10_000 })
        .toEqual({ asked: 0, statuses: Array(20).fill(401) });
    } finally {
      await unlimited.close();
    }
  });
});

describe('the token of a hook', () => {
  it('works again at once after a pause, and not any more once it was replaced', async () => {
    const hook: Hook = await makeHook(client);
    await client.patch(hook.path, { status: 'paused' }).expect(200);
    await bring(hook.token).expect(404);
    await client.patch(hook.path, { status: 'enabled' }).expect(200);
    await bring(hook.token).expect(202);
    await client.post(`${hook.path}/rotate-url`).expect(200);
    const { asked, statuses } = await cost(...times(3, () => () => bring(hook.token)));
    expect(statuses).toEqual([404, 404, 404]);
    expect(asked).toBe(1);
  });
});
