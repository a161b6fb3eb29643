import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** How many wait in the database for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await app.production.knex.raw(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

/** When the transaction that waits for a lock began. */
async function waitingSince(): Promise<string | undefined> {
  const { rows } = await app.production.knex.raw(
    "select xact_start from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.xact_start;
}

/** Of the service to its production database. */
async function connections(): Promise<number> {
  const { rows } = await app.production.knex.raw(
    "select from pg_stat_activity where datname = current_database() and application_name like 'lead-pipeline-api%'",
  );
  return rows.length;
}

/** Runs `work` while somebody else, who is in no hurry, is in the middle of a transaction. */
async function during<Result>(
  change: (trx: Knex.Transaction) => Promise<unknown>,
  work: (end: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const other = await app.production.knex.transaction();
  const end = async () => void (await other.rollback());
  try {
    await change(other);
    return await work(end);
  } finally {
    await end();
  }
}

describe('while somebody holds a row', () => {
  it('those who want it are told to come again, a few at a time, and others are served', async () => {
    const { id } = await createLead(client);
    const lock = (trx: Knex.Transaction) => trx.raw('select from leads for update');
    const change = () => client.patch(`/leads/${id}`, { company: 'X' });
    const other = await app.client();
    await during(lock, async () => {
      const changes = Array.from({ length: 10 }, change);
      const answered = Promise.all(changes);
      // A third of the ten connections.
      await expect.poll(waiting, { timeout: 5_000, interval: 20 }).toBe(4);
      const began = performance.now();
      expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(1_000);
      expect(await waiting()).toBe(4);
      // As docs/postgresql.md counts: the pool, and one each for notifications and for /readyz.
      expect(await connections()).toBeLessThanOrEqual(12);
      const others = await Promise.all([
        other.get('/leads'),
        other.get('/users'),
        other.post('/leads', leadInput()),
      ]);
      expect(others.map(({ status }) => status)).toEqual([200, 200, 201]);
      for (const { status, body, headers } of await answered) {
        expect(status).toBe(503);
        expect(body).toMatchObject({
          code: 'unavailable',
          message: 'Another request is still changing the same data. Try again shortly.',
        });
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
    });
    expect((await Promise.all([1, 2, 3].map(change))).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('while the first request with an Idempotency-Key runs, for longer than others wait for a row', () => {
  const key = randomUUID();

  it('the second waits, and then runs if the first has failed', async () => {
    const { rows } = await app.production.knex.raw('select id from api_clients');
    const claim = {
      client_id: rows[0].id,
      key,
      request_hash: Buffer.alloc(32),
      operation: 'createLead',
    };
    await during(
      (trx) => trx('idempotency_keys').insert(claim),
      async (end) => {
        const second = client.with({ 'Idempotency-Key': key }).post('/leads', leadInput());
        const answered = second.then(({ status }) => status);
        const first = await expect.poll(waitingSince).not.toBeUndefined().then(waitingSince);
        // It gives up after three seconds, as any request that waits for a row, and begins again.
        await expect.poll(waitingSince, { timeout: 10_000 }).toSatisfy((time) => time > (first ?? ''));
        await end();
        expect(await answered).toBe(201);
      },
    );
  });
});
