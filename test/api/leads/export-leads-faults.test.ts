/** An export that fails is seen to fail, and holds nothing afterwards. */
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readDocument as readContract } from '../../../src/http/validation/document.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { endHolders, exportRows, fetchExport, holding } from '../../support/exports.ts';
import { insertLeads } from '../../support/lists.ts';
import { type WatchedQueries, watchQueries } from '../../support/queries.ts';
import { requestHead } from '../../support/raw.ts';

const COUNT = 600;
const NEXT = 'fetch';

let app: TestApp;
let client: TestClient;
let queries: WatchedQueries;
const logged: string[] = [];

beforeAll(async () => {
  app = await startTestApp({ log: (line) => logged.push(line) });
  client = await app.client();
  await insertLeads(
    app.production.knex,
    Array.from({ length: COUNT }, () => ({})),
  );
  queries = watchQueries(app);
});

afterAll(() => app.close());

const holders = async () => (await app.production.knex.raw(holding)).rowCount;
const expectFreed = (timeout = 5_000) => vi.waitFor(async () => expect(await holders()).toBe(0), timeout);

beforeEach(() => expectFreed());

/** Ends the connections of exports before the nth batch is read. */
function failBefore(batch: number): void {
  const end = () => app.production.knex.raw(endHolders);
  const skip = (left: number) => {
    queries.before(NEXT, async () => (left === 1 ? void (await end()) : skip(left - 1)));
  };
  skip(batch);
}

describe('an export whose database connection ends', () => {
  it('before the first row is a 503', async () => {
    failBefore(1);
    const response = await fetchExport(client, '/leads/export');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
  });

  it('in the middle is cut off, so that nobody takes the part for the whole', async () => {
    failBefore(3);
    const response = await fetchExport(client, '/leads/export');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await expect.poll(() => logged.some((line) => line.includes('request cut off'))).toBe(true);
  });

  it('in the middle is reset in HTTP/1.0 as well, where the end of the connection is that of the file', async () => {
    failBefore(3);
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const ended = new Promise<string>((resolve) => {
      socket.on('error', ({ message }) => resolve(message)).on('end', () => resolve('a clean end'));
    });
    socket.resume();
    socket.write(requestHead('GET', '/v1/leads/export', client.headers).replace('HTTP/1.1', 'HTTP/1.0'));
    expect(await ended).toContain('ECONNRESET');
  });
});

describe('exports at the same time', () => {
  it('are one of each client and four at most; another one waits, and then gets 503', async () => {
    const goOn = Promise.withResolvers<void>();
    for (let n = 0; n < 4; n += 1) queries.before(NEXT, () => goOn.promise);
    const clients = await Promise.all(Array.from({ length: 4 }, () => app.client()));
    const running = clients.map((each) => exportRows(each, '/leads/export'));
    await vi.waitFor(async () => expect(await holders()).toBe(4), 5_000);
    const others = [fetchExport(client, '/leads/export'), fetchExport(clients[0] ?? client, '/leads/export')];
    for (const refused of await Promise.all(others)) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
      expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    }
    // None of the connections that others need.
    await client.get('/leads').expect(200);
    goOn.resolve();
    for (const rows of await Promise.all(running)) expect(rows).toHaveLength(COUNT);
    await expectFreed();
    expect(await exportRows(client, '/leads/export')).toHaveLength(COUNT);
  });
});

describe('a client that leaves', () => {
  it.each([1, 2])('frees the connection immediately, before batch %i', async (batch) => {
    const leaving = new AbortController();
    const goOn = Promise.withResolvers<void>();
    for (let n = 1; n < batch; n += 1) queries.before(NEXT, async () => undefined);
    queries.before(NEXT, async () => {
      leaving.abort();
      await goOn.promise;
    });
    const response = fetchExport(client, '/leads/export', 'text/csv', leaving.signal).then((got) =>
      got.text(),
    );
    await expect(response).rejects.toThrow();
    await expectFreed();
    goOn.resolve();
    expect(await exportRows(client, '/leads/export')).toHaveLength(COUNT);
  });

  it('frees the connection also if the answer is queued behind another one', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const send = (path: string) => socket.write(requestHead('GET', `/v1${path}`, client.headers));
    send('/events?cursor=latest&wait=30');
    send('/leads/export');
    await vi.waitFor(async () => expect(await holders()).toBe(1), 5_000);
    socket.destroy();
    await expectFreed();
  });

  it('frees the connection also while PostgreSQL is working for it', async () => {
    const lock = await app.production.knex.transaction();
    await lock.raw('lock table leads in access exclusive mode');
    const leaving = new AbortController();
    const response = fetchExport(client, '/leads/export', 'text/csv', leaving.signal);
    await vi.waitFor(async () => expect(await holders()).toBe(1), 5_000);
    leaving.abort();
    await expect(response).rejects.toThrow();
    await expectFreed(10_000);
    await lock.rollback();
  });
});

it('a row that breaks the contract is not sent', async () => {
  const document = await readContract();
  Object.assign(document.components?.schemas?.Lead as object, { maxProperties: 3 });
  const other = await startTestApp({ beside: app, document });
  const response = await fetchExport(client.at(`${other.url}/v1`), '/leads/export');
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: 'internal_error' });
  await other.close();
});
