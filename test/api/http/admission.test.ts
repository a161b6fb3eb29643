/** Only a few large responses are prepared at a time, and requests wait for them only so long. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { requestHead } from '../../support/raw.ts';

const waiting =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ waitsForLocks: true });
  client = await app.client();
});

afterAll(() => app.close());

describe('requests for large answers', () => {
  it.each(['/events', '/leads?per_page=100', '/content?per_page=21'])(
    'wait for each other, and small ones for nothing; when too many wait, more get 503: %s',
    async (path) => {
      const table = path.slice(1).split(/[/?]/)[0] ?? '';
      const lock = await app.production.knex.transaction();
      await lock.raw(`lock table ${table} in access exclusive mode`);
      const answers: { status: number; retryAfter: string | null; code: unknown }[] = [];
      const asked = Array.from({ length: 514 }, async () => {
        const response = await fetch(client.baseUrl + path, { headers: client.headers });
        const { code } = (await response.json()) as { code?: string };
        answers.push({ status: response.status, retryAfter: response.headers.get('retry-after'), code });
      });
      while (answers.length < 11) await client.get('/users').expect(200);
      expect(answers).toHaveLength(11);
      for (const answer of answers) {
        expect(answer).toEqual({ status: 503, retryAfter: '2', code: 'unavailable' });
      }
      await lock.rollback();
      await Promise.all(asked);
      const late = answers.slice(11).filter(({ status }) => status === 503);
      expect(late).toEqual([]);
    },
  );

  it('of one client wait alone, however many it sends on each connection', async () => {
    const lock = await app.production.knex.transaction();
    await lock.raw('lock table events in access exclusive mode');
    const { hostname, port } = new URL(app.url);
    const sockets = Array.from({ length: 4 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.write(requestHead('GET', '/v1/events', client.headers).repeat(600));
    // Behind them, and so behind what they have sent.
    await expect.poll(async () => (await app.production.knex.raw(waiting)).rowCount).toBe(3);
    const asked = (await app.client()).get('/events');
    const answer = asked.then(({ status }) => status);
    await lock.rollback();
    expect(await answer).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('that nobody waits for any more are not made', async () => {
    const leaving = await app.client();
    const lock = await app.production.knex.transaction();
    await lock.raw('lock table events in access exclusive mode');
    const gone = Array.from({ length: 400 }, async () => {
      const signal = AbortSignal.timeout(500);
      await fetch(`${client.baseUrl}/events`, { headers: leaving.headers, signal }).catch(() => undefined);
    });
    await Promise.all(gone);
    await lock.rollback();
    await leaving.get('/events').expect(200);
  });
});
