import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Response } from 'supertest';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HOUR } from '../../../src/values/time.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { makeHook, send } from '../../support/hooks.ts';
import { requestHead } from '../../support/raw.ts';

const grant_type = 'client_credentials';

let app: TestApp;

afterEach(() => app.close());

async function start(rateLimits: TestAppOptions['rateLimits']): Promise<TestClient> {
  app = await startTestApp({ sandbox: true, rateLimits });
  return app.client();
}

function checkLimited({ status, body, headers }: Response): void {
  expect(status).toBe(429);
  expect(body).toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/./),
    request_id: headers['x-request-id'],
  });
  expect(headers['retry-after']).toMatch(/^\d+$/);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
}

describe('the rate limit', () => {
  it("reports the remaining quota in the current draft's headers, and rejects what exceeds it", async () => {
    const client = await start({ read: 3 });
    for (const left of [2, 1, 0]) {
      const { headers } = await client.get('/leads').expect(200);
      expect(headers.ratelimit).toMatch(new RegExp(`^"read"; r=${left}; t=\\d+$`));
      expect(headers['ratelimit-policy']).toMatch(/^"read"; q=3; w=60(; pk=:[\w+/=]+:)?$/);
      expect(headers).not.toHaveProperty('retry-after');
    }
    const refused = await client.get('/leads');
    checkLimited(refused);
    expect(refused.headers.ratelimit).toMatch(/^"read"; r=0; t=\d+$/);
  });

  it('counts each of the requests that arrive at the same moment', async () => {
    const { headers } = await start({ read: 3 });
    const request = (more: object) => requestHead('GET', '/v1/auth/me', { ...headers, ...more });
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(request({}).repeat(4) + request({ Connection: 'close' }));
    const answers = await text(socket);
    const counted = answers.matchAll(/^HTTP\/1.1 (\d+).*?"read"; r=(\d)/gms);
    const results = Array.from(counted, ([, status, left]) => `${status} r=${left}`);
    expect(results.sort()).toEqual(['200 r=0', '200 r=1', '200 r=2', '429 r=0', '429 r=0']);
  });

  it('does not wait longer than a window for a clock that was set back', async () => {
    const client = await start({ read: 1 });
    await client.get('/auth/me').expect(200);
    checkLimited(await client.get('/auth/me'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR });
    try {
      checkLimited(await client.get('/auth/me'));
    } finally {
      vi.useRealTimers();
    }
  });

  it('counts reads, writes and searches apart', async () => {
    const client = await start({ read: 2, write: 1, search: 1 });
    await client.get('/leads?search=ada').expect(200);
    checkLimited(await client.get('/leads?search=ada'));
    checkLimited(await client.get('/leads?search'));
    await client.post('/leads', leadInput()).expect(201);
    checkLimited(await client.post('/leads', leadInput()));
    checkLimited(await client.delete('/leads/lead_01h455vb4pex5vsknk084sn02q'));
    await client.get('/leads').expect(200);
    await client.get('/auth/me').expect(200);
    checkLimited(await client.get('/leads'));
    await client.head('/leads').expect(429);
  });

  it('counts failed requests as well', async () => {
    const client = await start({ write: 3 });
    await client.post('/leads', '{').expect(400);
    await client.post('/leads', {}).expect(422);
    await client.post('/leads', 'x').type('text/plain').expect(415);
    checkLimited(await client.post('/leads', leadInput()));
  });

  it('counts clients and environments apart, and a client once for all its credentials', async () => {
    const client = await start({ read: 1 });
    const stranger = await app.client();
    const credentials = await app.credentials();
    const tokens = await Promise.all(
      [1, 2].map(
        async () =>
          (await app.anonymous.post('/auth/token', { grant_type, ...credentials })).body.access_token,
      ),
    );
    const [first, second] = tokens.map((token) => app.anonymous.with({ Authorization: `Bearer ${token}` }));
    await client.get('/leads').expect(200);
    checkLimited(await client.get('/leads'));
    await stranger.get('/leads').expect(200);
    await (await app.client(undefined, 'sandbox')).get('/leads').expect(200);
    await first?.get('/leads').expect(200);
    checkLimited((await second?.get('/leads')) as Response);
  });

  it('counts requests without a valid credential for each address, and leaves the others alone', async () => {
    const client = await start({ anonymous: 3 });
    const first = await app.anonymous.get('/leads').expect(401);
    expect(first.headers.ratelimit).toMatch(/^"anonymous"; r=2; t=\d+$/);
    await app.anonymous.with({ Authorization: 'Bearer a.b.c' }).get('/leads').expect(401);
    await app.anonymous.get('/auth/jwks').expect(200);
    checkLimited(await app.anonymous.post('/leads', leadInput()));
    checkLimited(await app.anonymous.get('/auth/jwks'));
    await client.get('/leads').expect(200);
    await createLead(client);
  });

  it('takes the address from the proxy that the configuration names, IPv6 by its subscriber', async () => {
    app = await startTestApp({ rateLimits: { anonymous: 1 }, trustProxy: 1 });
    const from = (address: string) =>
      app.anonymous
        .with({ 'X-Forwarded-For': `203.0.113.9, ${address}`, 'X-Forwarded-Proto': 'https' })
        .get('/leads');
    await from('198.51.100.1').expect(401);
    checkLimited(await from('198.51.100.1'));
    await from('198.51.100.2').expect(401);
    await from('2001:db8:1:100::1').expect(401);
    checkLimited(await from('2001:db8:1:1ff::2'));
    await from('2001:db8:1:200::1').expect(401);
  });
});

describe('the rate limit of /hooks', () => {
  it('counts each hook by itself, whoever sends, and guesses for each address', async () => {
    const client = await start({ inbound: 2, anonymous: 2 });
    const [one, two] = [await makeHook(client), await makeHook(client)];
    const { headers } = await send(app, one, {}).expect(202);
    expect(headers.ratelimit).toMatch(/^"inbound"; r=1; t=\d+$/);
    await send(app, one, '{').expect(400);
    checkLimited(await send(app, one, {}));
    await send(app, two, {}).expect(202);
    const guess = await send(app, { token: 'lph_live_guess' }, {}).expect(404);
    expect(guess.headers.ratelimit).toMatch(/^"anonymous"; r=1; t=\d+$/);
    await send(app, { token: 'lph_live_other' }, {}).expect(404);
    checkLimited(await send(app, { token: 'lph_live_third' }, {}));
    await send(app, two, {}).expect(202);
  });
});

describe('the rate limit of /auth/token', () => {
  it('counts tokens granted to a client', async () => {
    app = await startTestApp({ rateLimits: { tokenClient: 2 } });
    const [one, two] = [await app.credentials(), await app.credentials()];
    const exchange = (of: typeof one) => app.anonymous.post('/auth/token', { grant_type, ...of });
    await exchange(one).expect(200);
    const { headers } = await exchange(one).expect(200);
    expect(headers.ratelimit).toMatch(/"token-ip"; r=\d+; t=\d+, "token-client"; r=0; t=\d+/);
    const refused = await exchange(one);
    checkLimited(refused);
    expect(refused.body).toMatchObject({
      error: expect.stringMatching(/./),
      error_description: expect.stringMatching(/./),
    });
    await exchange(two).expect(200);
  });

  it('does not count wrong secrets as tokens of the client, not even many concurrent ones', async () => {
    app = await startTestApp({ rateLimits: { tokenClient: 2 } });
    const credentials = await app.credentials();
    const wrong = () =>
      app.anonymous.post('/auth/token', { grant_type, ...credentials, client_secret: 'wrong' });
    for (let round = 0; round < 5; round += 1) await wrong().expect(401);
    const attack = Array.from({ length: 40 }, () => wrong().then(({ status }) => status));
    const own = app.anonymous.post('/auth/token', { grant_type, ...credentials });
    const statuses = await Promise.all(attack);
    expect((await own).status).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([401]));
    await app.anonymous.post('/auth/token', { grant_type, ...credentials }).expect(200);
  });

  it('counts everything that comes from an address', async () => {
    app = await startTestApp({ rateLimits: { tokenIp: 3 } });
    const credentials = await app.credentials();
    await app.anonymous.post('/auth/token', { grant_type, ...credentials }).expect(200);
    await app.anonymous
      .post('/auth/token', { grant_type, ...credentials, client_secret: 'wrong' })
      .expect(401);
    await app.anonymous.post('/auth/revoke', { token: 'x', ...credentials }).expect(200);
    checkLimited(await app.anonymous.post('/auth/token', { grant_type, ...(await app.credentials()) }));
  });
});
