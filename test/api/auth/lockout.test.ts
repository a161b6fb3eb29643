/** After a few wrong secrets for a client, their address is locked out, and nobody else is. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClientCredentials } from '../../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { makeHook } from '../../support/hooks.ts';

const LIMIT = 10;
const MINUTE = 60_000;
const grant_type = 'client_credentials';
const HERE = '198.51.100.1';
const ELSEWHERE = '198.51.100.2';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, rateLimits: { badSecret: LIMIT }, trustProxy: 1 });
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => app.close());

const from = (address: string, environment: 'production' | 'sandbox' = 'production') =>
  app.anonymous
    .at(app.url + app[environment].basePath)
    .with({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });

const exchange = (of: ClientCredentials, address = HERE) =>
  from(address).post('/auth/token', { grant_type, ...of });

const basic = ({ client_id, client_secret }: ClientCredentials, address = HERE) =>
  from(address)
    .post('/auth/token', { grant_type })
    .set('Authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`);

const revoke = (of: ClientCredentials, address = HERE) =>
  from(address).post('/auth/revoke', { token: 'x', ...of });

const guess = ({ client_id }: ClientCredentials) => ({ client_id, client_secret: 'wrong' });

async function lock(credentials: ClientCredentials): Promise<void> {
  for (let count = 0; count < LIMIT; count += 1) await exchange(guess(credentials)).expect(401);
}

describe('after ten wrong secrets for a client from an address', () => {
  it('all further ones are refused there with a 429, and so is the right one', async () => {
    const credentials = await app.credentials();
    const ways = [exchange, basic, revoke];
    for (let count = 0; count < LIMIT; count += 1) {
      await ways[count % ways.length]?.(guess(credentials)).expect(401);
    }
    for (const way of ways) {
      for (const tried of [guess(credentials), credentials]) {
        const { body, headers } = await way(tried).expect(429);
        expect(body).toMatchObject({
          code: 'client_locked',
          error: 'temporarily_unavailable',
          message: expect.stringContaining(`Try again in ${headers['retry-after']} seconds.`),
        });
        expect(headers['cache-control']).toBe('no-store');
        expect(headers.ratelimit).toContain(`"bad-secret"; r=0; t=${headers['retry-after']}`);
        expect(headers['ratelimit-policy']).toContain(`"bad-secret"; q=${LIMIT}; w=300`);
        expect(Number(headers['retry-after'])).toBeGreaterThan(200);
        expect(Number(headers['retry-after'])).toBeLessThanOrEqual(300);
      }
    }
  });

  it('the client gets its tokens at another address, and others get theirs here', async () => {
    const [credentials, other] = [await app.credentials(), await app.credentials()];
    await lock(credentials);
    await exchange(credentials).expect(429);
    await exchange(credentials, ELSEWHERE).expect(200);
    await exchange(credentials, '2001:db8::1').expect(200);
    await exchange(other).expect(200);
    const sandbox = await app.credentials(undefined, 'sandbox');
    await from(HERE, 'sandbox')
      .post('/auth/token', { grant_type, ...sandbox })
      .expect(200);
  });

  it('the whole block of an IPv6 subscriber is one address', async () => {
    const credentials = await app.credentials();
    for (let count = 0; count < LIMIT; count += 1) {
      await exchange(guess(credentials), `2001:db8:2:10${count}::1`).expect(401);
    }
    await exchange(credentials, '2001:db8:2:1ff::2').expect(429);
    await exchange(credentials, '2001:db8:2:200::1').expect(200);
  });

  it('the tokens that the client has remain valid, and hooks go on', async () => {
    const credentials = await app.credentials(['read', 'write']);
    const { body } = await exchange(credentials).expect(200);
    await lock(credentials);
    await exchange(credentials).expect(429);
    const client = from(HERE).with({ Authorization: `Bearer ${body.access_token}` });
    await client.get('/leads').expect(200);
    const { token } = await makeHook(client);
    await from(HERE).post(`/hooks/${token}`, { name: 'Ada', email: 'ada@example.com' }).expect(202);
  });

  it('the answers are the same for a client that does not exist', async () => {
    const answersOf = async (client_id: string) => {
      const answers = [];
      for (let count = 0; count <= LIMIT; count += 1) {
        const { status, body } = await exchange({ client_id, client_secret: 'wrong' });
        answers.push([status, body.code, body.message.replace(/\d+/, 'N')]);
      }
      return answers;
    };
    const known = await answersOf((await app.credentials()).client_id);
    expect(known.map(([status]) => status)).toEqual([...Array(LIMIT).fill(401), 429]);
    for (const unknown of ['client_01h455vb4pex5vsknk084sn02q', 'nobody', 'x'.repeat(255)]) {
      expect(await answersOf(unknown)).toEqual(known);
    }
  });

  it('a success between them changes nothing, so that nobody goes on guessing beside a client at work', async () => {
    const credentials = await app.credentials();
    for (let count = 1; count < LIMIT; count += 1) await exchange(guess(credentials)).expect(401);
    await exchange(credentials).expect(200);
    await exchange(guess(credentials)).expect(401);
    await exchange(credentials).expect(429);
  });

  it('the lock ends five minutes after the first failure, even if more follow', async () => {
    const credentials = await app.credentials();
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    await lock(credentials);
    vi.advanceTimersByTime(4.9 * MINUTE);
    const { headers } = await exchange(credentials).expect(429);
    expect(headers['retry-after']).toBe('6');
    vi.advanceTimersByTime(0.1 * MINUTE);
    await exchange(credentials).expect(200);
  });
});

describe('a right secret', () => {
  it('is never counted', async () => {
    const credentials = await app.credentials();
    for (let count = 0; count <= LIMIT; count += 1) await exchange(credentials).expect(200);
    await exchange(guess(credentials)).expect(401);
  });
});

it('requests without a secret, or with faults in other fields, do not count', async () => {
  const credentials = await app.credentials();
  const { client_id } = credentials;
  for (let count = 0; count <= LIMIT; count += 1) {
    await from(HERE).post('/auth/token', { grant_type, client_id }).expect(422);
    await from(HERE).post('/auth/token', { grant_type: 'x', client_id, client_secret: 'x' }).expect(422);
  }
  await exchange(credentials).expect(200);
});
