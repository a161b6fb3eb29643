import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { formInput, leadsOf, makeHook, readDelivery, sendIn } from '../../support/hooks.ts';
import { deleteOld } from '../../support/old-data.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const uuid = (deliveryId: string) => toUuid('inbound', deliveryId) ?? '';

/** Makes the delivery this old. */
const age = (deliveryId: string, interval: string) =>
  app.production.knex.raw('update inbound_deliveries set created_at = now() - ?::interval where id = ?', [
    interval,
    uuid(deliveryId),
  ]);

describe('A payload that is sent twice', () => {
  it('is a duplicate if its body is the same', async () => {
    const hook = await makeHook(client);
    const form = formInput();
    const first = await sendIn(app, hook, form);
    expect(await sendIn(app, hook, form)).toEqual({ ...first, status: 'duplicate' });
    const other = await sendIn(app, hook, { ...form, company: 'Other' });
    expect(other).toMatchObject({ status: 'merged' });
    expect(await sendIn(app, await makeHook(client), form)).toMatchObject({ status: 'merged' });
  });

  it('is a duplicate if its webhook-id is the same, whatever its body', async () => {
    const hook = await makeHook(client);
    const form = formInput();
    const sendAs = (id: string, payload: object) => sendIn(app, hook, payload, { 'webhook-id': id });
    const first = await sendAs('msg_1', form);
    expect(await sendAs('msg_1', { other: true })).toEqual({ ...first, status: 'duplicate' });
    expect((await sendAs('msg_2', form)).status).toBe('merged');
    expect((await sendIn(app, hook, form)).status).toBe('merged');
  });

  it.each<Record<string, string>>([{}, { 'webhook-id': 'msg_1' }])(
    'creates one lead for twenty concurrent requests: %j',
    async (headers) => {
      const hook = await makeHook(client);
      const form = formInput();
      const sent = await Promise.all(Array.from({ length: 20 }, () => sendIn(app, hook, form, headers)));
      expect(new Set(sent.map(({ delivery_id }) => delivery_id)).size).toBe(1);
      expect(sent.filter(({ status }) => status === 'created')).toHaveLength(1);
      expect(sent.filter(({ status }) => status === 'duplicate')).toHaveLength(19);
      expect(await leadsOf(client, form.email)).toHaveLength(1);
    },
  );

  it('is processed again after 24 hours, and not before', async () => {
    const hook = await makeHook(client);
    const form = formInput();
    const first = await sendIn(app, hook, form);
    await age(first.delivery_id, '23 hours 59 minutes');
    expect((await sendIn(app, hook, form)).status).toBe('duplicate');
    await age(first.delivery_id, '24 hours 1 minute');
    const second = await sendIn(app, hook, form);
    expect(second.status).toBe('merged');
    expect(await sendIn(app, hook, form)).toEqual({ ...second, status: 'duplicate' });
    expect((await readDelivery(client, hook, first.delivery_id)).status).toBe('created');
  });
});

describe('A stored payload', () => {
  it('is erased with its lead, and with any lead whose email it contains', async () => {
    const { knex } = app.production;
    const hook = await makeHook(client);
    const email = uniqueEmail();
    const [lead] = [
      await sendIn(app, hook, { name: 'Ada', email }),
      await sendIn(app, hook, { name: 'Ada', deep: [{ mail: email.toUpperCase() }] }),
      await sendIn(app, hook, formInput()),
    ].map(({ delivery_id }) => delivery_id);
    const { body } = await client.get(`${hook.path}/deliveries`).expect(200);
    const before = body.data as { id: string; lead_id: string | null; created_at: string }[];
    await client.delete(`/leads/${before.find(({ id }) => id === lead)?.lead_id}`).expect(204);
    const after = await Promise.all(before.map(({ id }) => readDelivery(client, hook, id)));
    expect(after.map(({ payload }) => payload)).toEqual([expect.any(Object), null, null]);
    expect(after.map(({ errors }) => errors)).toEqual([null, null, null]);
    for (const [index, { id, lead_id, created_at }] of before.entries()) {
      expect(after[index]).toMatchObject({ id, lead_id, created_at });
    }
    const { rows } = await knex.raw('select json_agg(d)::text as text from inbound_deliveries d');
    expect(rows[0].text.toLowerCase()).not.toContain(email);
  });

  it('is erased with a contact whose email it contains', async () => {
    const hook = await makeHook(client);
    const email = uniqueEmail();
    const { delivery_id } = await sendIn(app, hook, { contact: email });
    const { body } = await client.post('/contacts', { name: 'Ada', email }).expect(201);
    await client.delete(`/contacts/${body.data.id}`).expect(204);
    expect(await readDelivery(client, hook, delivery_id)).toMatchObject({
      status: 'rejected',
      payload: null,
      errors: null,
    });
  });

  it('is deleted after 30 days, in batches', async () => {
    const { db, knex } = app.production;
    const hook = await makeHook(client);
    const { delivery_id } = await sendIn(app, hook, formInput());
    const insertOld = (days: number, count: number) =>
      knex.raw(
        `insert into inbound_deliveries (id, hook_id, status)
          select new_uuid(now() - make_interval(days => ?)), ?, 'rejected' from generate_series(1, ?)`,
        [days, toUuid('hook', hook.id) ?? '', count],
      );
    await insertOld(31, 2_500);
    await insertOld(29, 1);
    expect(await deleteOld(db, 'inbound_deliveries', 1_000)).toBe(1_000);
    expect(await deleteOld(db, 'inbound_deliveries', 2_000)).toBe(1_500);
    const { body } = await client.get(`${hook.path}/deliveries`).expect(200);
    expect(body.meta.total).toBe(2);
    await readDelivery(client, hook, delivery_id);
  });
});
