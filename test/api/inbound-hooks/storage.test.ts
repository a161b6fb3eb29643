/** The payloads that inbound hooks store are limited in bytes. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeRoom } from '../../../src/inbound-hooks/make-room.ts';
import { foldInboundStorage, inboundStorageUsed } from '../../../src/inbound-hooks/storage-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { follow, latest } from '../../support/events.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { formInput, type Hook, leadsOf, makeHook, readDelivery, send, sendIn } from '../../support/hooks.ts';
import { deleteOld } from '../../support/old-data.ts';
import { expectRefusal } from '../../support/resources.ts';

const MOST = 100_000;

let app: TestApp;
let client: TestClient;
let hook: Hook;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, inboundStorage: MOST });
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(async () => {
  await app.production.knex.raw('delete from inbound_deliveries');
  hook = await makeHook(client);
});

const big = () => 'x'.repeat(30_000);
const rejected = () => ({ ...formInput({ message: big(), number: randomUUID() }), email: null });
const used = () => inboundStorageUsed(app.production.db);

async function fill(payload: () => object): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push((await sendIn(app, hook, payload())).delivery_id);
  return ids;
}

async function room(): Promise<{ lines: Record<string, unknown>[]; result: unknown }> {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  const result = await makeRoom(app.production, logger).catch((error) => error);
  return { lines, result };
}

describe('the storage of inbound hooks', () => {
  it('that is full still accepts a lead, but does not keep its payload', async () => {
    await fill(rejected);
    const form = formInput({ message: big() });
    const { delivery_id, status } = await sendIn(app, hook, form);
    expect(status).toBe('created');
    expect(await leadsOf(client, form.email)).toHaveLength(1);
    expect(await readDelivery(client, hook, delivery_id)).toMatchObject({ status, payload: null });
    expect((await sendIn(app, hook, form)).status).toBe('duplicate');
    expect((await sendIn(app, hook, { ...form, company: 'Filled' })).status).toBe('merged');
    await expectRefusal(client.post(`${hook.path}/deliveries/${delivery_id}/reprocess`), {
      field: 'delivery_id',
      code: 'payload_erased',
    });
  });

  it('that is full rejects payloads that give no lead, without storing them, until there is room', async () => {
    const email = uniqueEmail();
    await fill(() => ({ ...rejected(), referrer: email }));
    const payload = rejected();
    const after = await latest(client);
    const { body, headers } = await send(app, hook, payload).expect(429);
    expect(body).toMatchObject({
      code: 'inbound_storage_full',
      message: expect.stringContaining('Send it again later'),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await follow(client, { cursor: after })).events).toEqual([]);
    const { body: list } = await client.get(`${hook.path}/deliveries`).expect(200);
    expect(list.meta.total).toBe(3);
    const contact = await client.post('/contacts', { name: 'Ada', email }).expect(201);
    await client.delete(`/contacts/${contact.body.data.id}`).expect(204);
    expect((await sendIn(app, hook, payload)).status).toBe('rejected');
  });

  it('is separate for each environment', async () => {
    await fill(rejected);
    const sandbox = await app.client(undefined, 'sandbox');
    const other = await makeHook(sandbox);
    const { body } = await sandbox.post(`/hooks/${other.token}`, rejected()).expect(202);
    expect(body.data.status).toBe('rejected');
  });

  it('is counted exactly after additions, erasures, deletions, folds and rollbacks', async () => {
    const { db, knex } = app.production;
    const sum = async () =>
      (await knex.raw('select sum(payload_bytes)::int as sum from inbound_deliveries')).rows[0].sum;
    expect(await used()).toBe(0);
    const form = formInput({ message: 'Gr\u00fc\u00dfe' });
    const { delivery_id } = await sendIn(app, hook, form);
    await sendIn(app, hook, rejected());
    expect(await used()).toBe(await sum());
    expect(await used()).toBeGreaterThan(30_000 + 2 * 1_024);
    await foldInboundStorage(db);
    expect(await used()).toBe(await sum());
    expect((await knex('inbound_storage_changes').count())[0]?.count).toBe('0');
    const { lead_id } = await readDelivery(client, hook, delivery_id);
    await client.delete(`/leads/${lead_id}`).expect(204);
    expect(await used()).toBe(await sum());
    await client.post(`${hook.path}/preview`, { payload: form }).expect(200);
    expect(await used()).toBe(await sum());
    await knex.raw("update inbound_deliveries set id = new_uuid(now() - interval '31 days')");
    await deleteOld(db, 'inbound_deliveries', 1_000);
    expect(await used()).toBe(0);
  });

  it('is counted exactly after concurrent writes and folds', async () => {
    const { db, knex } = app.production;
    const sending = Array.from({ length: 40 }, () => sendIn(app, hook, formInput()));
    const folding = Array.from({ length: 10 }, () => foldInboundStorage(db));
    await Promise.all([...sending, ...folding]);
    await Promise.all([foldInboundStorage(db), foldInboundStorage(db)]);
    const { rows } = await knex.raw(
      'select sum(payload_bytes)::int as sum, (select bytes::int from inbound_storage) as folded from inbound_deliveries',
    );
    expect(rows[0].folded).toBe(rows[0].sum);
    expect(await used()).toBe(rows[0].sum);
  });

  it('is empty after a reset of the sandbox', async () => {
    const sandbox = await app.client(undefined, 'sandbox');
    const other = await makeHook(sandbox);
    await sandbox.post(`/hooks/${other.token}`, rejected()).expect(202);
    await sandbox.post('/sandbox/reset').expect(200);
    expect(await inboundStorageUsed(app.sandbox.db)).toBe(0);
  });
});

describe('room for the next payload', () => {
  it('is made by deleting payloads that gave a lead, and the log says how many', async () => {
    const [oldest = '', second = ''] = await fill(() => formInput({ message: big() }));
    const { lines, result } = await room();
    expect(result).toBe(3);
    expect(lines).toMatchObject([{ environment: 'production', dropped: 3 }]);
    expect(await used()).toBe(0);
    for (const id of [oldest, second]) {
      expect(await readDelivery(client, hook, id)).toMatchObject({
        status: 'created',
        payload: null,
        version: 2,
      });
    }
  });

  it('is not made by deleting rejected payloads: an error reports their size instead', async () => {
    const ids = await fill(rejected);
    const { lines, result } = await room();
    expect(lines).toEqual([]);
    expect(String(result)).toMatch(/Rejected deliveries take \d+ of 100000 bytes/);
    for (const id of ids)
      expect((await readDelivery(client, hook, id)).payload).toMatchObject({ email: null });
  });

  it('is not made while there is enough', async () => {
    const { delivery_id } = await sendIn(app, hook, formInput({ message: big() }));
    expect(await room()).toEqual({ lines: [], result: 0 });
    expect((await readDelivery(client, hook, delivery_id)).payload).not.toBeNull();
  });
});
