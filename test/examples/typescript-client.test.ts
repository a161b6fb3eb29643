import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { load } from '../support/example.ts';
import { uniqueEmail } from '../support/factories.ts';

const { createLeadPipeline } = await load('client.ts');
const { withRetries } = await load('retries.ts');

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

afterEach(() => void vi.useRealTimers());

type Step = (request: Request) => Promise<Response>;

const refuse =
  (status: number, retryAfter = '0'): Step =>
  async () =>
    new Response(null, { status, headers: { 'Retry-After': retryAfter } });
const lose: Step = async () => Promise.reject(new TypeError('fetch failed'));
/** The service handles the request, and the response is lost. */
const loseAnswer: Step = async (request) => {
  await fetch(request);
  throw new TypeError('fetch failed');
};

/** A client of the running service whose first requests take these steps. Records all requests. */
async function connect(...steps: Step[]) {
  const credentials = await app.credentials();
  const sent: Request[] = [];
  const api = createLeadPipeline({
    baseUrl: `${app.url}/v1`,
    clientId: credentials.client_id,
    clientSecret: credentials.client_secret,
    fetch: (request) => {
      sent.push(request);
      const isToken = request.url.endsWith('/auth/token');
      return (isToken ? fetch : (steps.shift() ?? fetch))(request);
    },
  });
  const tokens = () => sent.filter(({ url }) => url.endsWith('/auth/token')).length;
  const others = () => sent.filter(({ url }) => !url.endsWith('/auth/token'));
  return { api, tokens, others, credentials };
}

describe('tokens', () => {
  it('are fetched once for concurrent requests, and cached', async () => {
    const { api, tokens } = await connect();
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.GET('/auth/me')));
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
    await api.GET('/auth/me');
    expect(tokens()).toBe(1);
  });

  it('are renewed a minute before they expire, once', async () => {
    const { api, tokens } = await connect();
    await api.GET('/auth/me');
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3_530_000 });
    await api.GET('/auth/me');
    expect(tokens()).toBe(1);
    vi.setSystemTime(now + 3_550_000);
    const answers = await Promise.all([api.GET('/auth/me'), api.GET('/auth/me')]);
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200]);
    expect(tokens()).toBe(2);
  });

  it('are renewed when the service rejects one', async () => {
    const { api, tokens, others, credentials } = await connect();
    await api.GET('/auth/me');
    const token = others()[0]?.headers.get('Authorization')?.slice('Bearer '.length);
    await app.anonymous.post('/auth/revoke', { token, ...credentials }).expect(200);
    const status = async () =>
      (await app.anonymous.with({ Authorization: `Bearer ${token}` }).get('/auth/me')).status;
    await expect.poll(status).toBe(401);
    const { response } = await api.GET('/auth/me');
    expect(response.status).toBe(200);
    expect(tokens()).toBe(2);
  });

  it('are requested again after a lost connection or a 503', async () => {
    const { client_id: clientId, client_secret: clientSecret } = await app.credentials();
    const steps = [lose, refuse(503)];
    const network: Step = (request) => (steps.shift() ?? fetch)(request);
    const api = createLeadPipeline({ baseUrl: `${app.url}/v1`, clientId, clientSecret, fetch: network });
    expect((await api.GET('/auth/me')).response.status).toBe(200);
    expect(steps).toEqual([]);
  });

  it('that are refused cause an immediate error with the reason', async () => {
    let sent = 0;
    const network: Step = (request) => {
      sent += 1;
      return fetch(request);
    };
    const stranger = { baseUrl: `${app.url}/v1`, clientId: 'x', clientSecret: 'y', fetch: network };
    await expect(createLeadPipeline(stranger).GET('/auth/me')).rejects.toThrow('No token: 401');
    expect(sent).toBe(1);
  });
});

describe('retries', () => {
  it.each([429, 503])('repeat a read after a %i', async (status) => {
    const { api, others } = await connect(refuse(status), refuse(status));
    const { data } = await api.GET('/auth/me');
    expect(data?.data.environment).toBe('production');
    expect(others()).toHaveLength(3);
  });

  it('wait as long as Retry-After asks for, in seconds or as a date', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1_000);
    for (const value of ['1', date.toUTCString()]) {
      const { api } = await connect(refuse(429, value));
      const started = performance.now();
      await api.GET('/auth/me');
      expect(performance.now() - started).toBeGreaterThan(950);
    }
  });

  it('get the response of a POST whose first response was lost, by its Idempotency-Key', async () => {
    const { api, others } = await connect(loseAnswer, refuse(503));
    const email = uniqueEmail();
    const { data, response } = await api.POST('/leads', { body: { name: 'Ada', email } as never });
    expect(response.headers.get('Idempotency-Replayed')).toBe('true');
    expect(data?.data.email).toBe(email);
    expect(new Set(others().map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
  });

  it("keep the caller's Idempotency-Key", async () => {
    const { api, others } = await connect();
    const params = { header: { 'Idempotency-Key': 'order-1' } };
    await api.POST('/leads', { params, body: { name: 'Ada', email: uniqueEmail() } as never });
    expect(others()[0]?.headers.get('Idempotency-Key')).toBe('order-1');
  });

  it('end after five attempts, with the last response', async () => {
    const { api, others } = await connect(...Array.from({ length: 6 }, () => refuse(503)));
    const { response } = await api.GET('/auth/me');
    expect(response.status).toBe(503);
    expect(others()).toHaveLength(5);
  });

  it('end when the caller aborts', async () => {
    const { api, others } = await connect(refuse(503, '3600'));
    const stop = new AbortController();
    const answer = api.GET('/auth/me', { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await expect(answer).rejects.toThrow('abort');
    expect(others()).toHaveLength(1);
  });

  it('do not repeat requests that are unsafe to repeat or would fail again', async () => {
    let count = 0;
    const counting = (step: Step): Step =>
      withRetries((request) => {
        count += 1;
        return step(request);
      });
    const post = new Request('http://127.0.0.1/', { method: 'POST', body: 'x' });
    expect((await counting(refuse(503))(post)).status).toBe(503);
    await expect(counting(lose)(post)).rejects.toThrow('fetch failed');
    expect((await counting(refuse(404))(new Request('http://127.0.0.1/'))).status).toBe(404);
    expect(count).toBe(3);
  });
});
