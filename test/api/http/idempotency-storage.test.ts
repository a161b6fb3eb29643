/** Stored responses keep to their limits: per client, per environment, and across processes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput } from '../../support/factories.ts';
import { deleteOld } from '../../support/old-data.ts';
import { uuidOf } from '../../support/webhooks.ts';

const KiB = 1024;
/** A client's limit. The environment's is four times as much. */
const ROOM = 64 * KiB;

let app: TestApp;
let beside: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, idempotencyStorage: 4 * ROOM });
  beside = await startTestApp({ beside: app, idempotencyStorage: 4 * ROOM });
});

afterAll(async () => {
  await beside.close();
  await app.close();
});

/** Sends a batch with a new key, or with this one. Its response takes 15 to 16 KiB. */
function sendBatch(client: TestClient, body: object = batch(), key: string = randomUUID()) {
  return client.with({ 'Idempotency-Key': key }).post('/leads/batch/create', body);
}

function batch() {
  const metadata = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key${n}`, 'x'.repeat(490)]));
  return { items: [leadInput({ metadata })] };
}

const full = {
  code: 'idempotency_storage_full',
  message: expect.stringContaining('without an Idempotency-Key'),
};

/** Sends batches until there is no room left. Returns how many were stored. */
async function fill(client: TestClient): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    const { status, body, headers } = await sendBatch(client);
    if (status === 200) continue;
    expect([status, body]).toEqual([429, expect.objectContaining(full)]);
    expect(headers['retry-after']).toBe('3600');
    return taken;
  }
}

const counted = async () => Number((await app.production.knex('idempotency_usage').sum('bytes'))[0]?.sum);

describe('stored answers', () => {
  it('of a client end at its room, after which it writes without a key, and earlier ones are replayed', async () => {
    const client = await app.client();
    const key = randomUUID();
    const body = batch();
    const first = await sendBatch(client, body, key).expect(200);
    expect(await fill(client)).toBeLessThanOrEqual(4);
    const refused = batch();
    await sendBatch(client, refused).expect(429);
    const { body: found } = await client.get(`/leads?email=${refused.items[0]?.email}`).expect(200);
    expect(found.meta.total).toBe(0);
    await client.post('/leads/batch/create', refused).expect(200);
    expect((await sendBatch(client, body, key).expect(200)).text).toBe(first.text);
    await client.with({ 'Idempotency-Key': randomUUID() }).post('/leads', leadInput()).expect(429);
  });

  it('of another client, or in another environment, still have room', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      await sendBatch(await app.client(undefined, environment)).expect(200);
    }
  });

  it('have room again when the old ones are gone', async () => {
    const client = await app.client();
    const { body: me } = await client.get('/auth/me').expect(200);
    await fill(client);
    const { knex, db } = app.production;
    const own = () => knex('idempotency_usage').where({ client_id: uuidOf(me.data.client_id) });
    await vi.waitFor(
      async () => expect(Number((await own().sum('bytes'))[0]?.sum)).toBeGreaterThanOrEqual(ROOM),
      10_000,
    );
    const age = (hours: string) => own().update({ hour: knex.raw('now() - ?::interval', [hours]) });
    // An answer that was stored at the end of that hour is still there.
    await age('24 hours 30 minutes');
    await deleteOld(db, 'idempotency_usage');
    expect(await own()).not.toEqual([]);
    await age('26 hours');
    await vi.waitFor(() => sendBatch(client).expect(200), 10_000);
    await deleteOld(db, 'idempotency_usage');
    const { rows } = await knex.raw(`select from idempotency_usage where hour < now() - interval '25 hours'`);
    expect(rows).toEqual([]);
  });

  it('count in every process, after a restart as well', async () => {
    const client = await app.client();
    const elsewhere = client.at(`${beside.url}/v1`);
    await fill(client);
    const before = await counted();
    await vi.waitFor(async () => {
      await sendBatch(elsewhere).expect(429);
    }, 10_000);
    await vi.waitFor(async () => expect(await counted()).toBeGreaterThanOrEqual(before), 5_000);
  });

  it('of all clients end at the room of the environment', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => app.client(undefined, 'sandbox')));
    let taken = 0;
    for (const client of clients) taken += await fill(client);
    expect(taken).toBeGreaterThan(6);
    expect(taken).toBeLessThanOrEqual(18);
    const { body } = await sendBatch(await app.client(undefined, 'sandbox')).expect(429);
    expect(body).toMatchObject({ ...full, message: expect.stringContaining('all clients') });
  });
});
