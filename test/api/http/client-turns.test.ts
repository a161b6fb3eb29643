/** Searches, reports and deep pages may read whole tables, so each client may run only a few at a time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

const waiting =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

let app: TestApp;
let client: TestClient;
let other: TestClient;

beforeAll(async () => {
  app = await startTestApp({ waitsForLocks: true });
  client = await app.client();
  other = await app.client();
});

afterAll(() => app.close());

async function ask({ baseUrl, headers }: TestClient, path: string, signal?: AbortSignal) {
  const response = await fetch(baseUrl + path, { headers, signal });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') };
}

describe('searches, reports and deep pages of one client', () => {
  it.each([
    '/leads?search=ada',
    '/leads?per_page=100&search=ada',
    '/analytics/time-in-status',
    '/contacts?page=52',
  ])('run three at a time, up to 500 wait, more get 503, and other clients are served: %s', async (path) => {
    const { knex } = app.production;
    const lock = await knex.transaction();
    await lock.raw('lock table leads, lead_status_changes, contacts in access exclusive mode');
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    const impatient = new AbortController();
    const asked = Array.from({ length: 510 }, async (_, index) => {
      const signal = index % 17 === 0 ? undefined : impatient.signal;
      const answer = await ask(client, path, signal).catch((error: unknown) => {
        if (!signal?.aborted) throw error;
      });
      if (answer) answers.push(answer);
    });
    await expect.poll(() => answers.length).toBe(7);
    expect(answers).toEqual(Array(7).fill({ status: 503, code: 'unavailable', retryAfter: '2' }));
    await expect.poll(async () => (await knex.raw(waiting)).rowCount).toBe(3);
    await client.get('/users').expect(200);
    await other.get('/users?search=ada').expect(200);
    expect((await knex.raw(waiting)).rowCount).toBe(3);
    // On a busy machine, running all 503 takes longer than they may wait.
    impatient.abort();
    await lock.rollback();
    await Promise.all(asked);
    const served = answers.slice(7).map(({ status }) => status);
    expect(served.length).toBeGreaterThanOrEqual(30 - 7);
    expect(served).toEqual(Array(served.length).fill(200));
  });

  it('that nobody waits for any more are not run', async () => {
    const lock = await app.production.knex.transaction();
    await lock.raw('lock table leads in access exclusive mode');
    const gone = Array.from({ length: 50 }, async () => {
      const signal = AbortSignal.timeout(500);
      await fetch(`${client.baseUrl}/leads?search=ada`, { headers: client.headers, signal }).catch(
        () => undefined,
      );
    });
    await Promise.all(gone);
    await lock.rollback();
    await client.get('/leads?search=ada').expect(200);
  });
});
