/** A deleted person is not in stored batch responses, either, and a batch deletes as a DELETE does. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldLeadCounters } from '../../../src/leads/counter-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { contacts, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });

describe.each([
  ['lead', leads],
  ['contact', contacts],
] as [string, TestResource][])('a %s of a batch', (kind, { path }) => {
  it('is erased from the stored answer, and nobody else is', async () => {
    const people = [someone(), someone(), someone()];
    const once = keyed();
    const body = { items: people.map(({ fields }) => fields) };
    const first = await once.post(`${path}/batch/create`, body).expect(200);
    const ids = first.body.data.map(({ id }: { id: string }) => id);
    await client.delete(`${path}/${ids[1]}`).expect(204);
    await foldLeadCounters(app.production.db);
    expect(await traces(app, people[1]?.mark ?? '')).toEqual([]);
    const again = await once.post(`${path}/batch/create`, body).expect(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const erased = { name: 'Erased', email: `${ids[1]}@erased.invalid`, phone: null };
    const expected = structuredClone(first.body);
    Object.assign(expected.data[1][kind], erased);
    expect(again.body).toEqual(expected);
  });

  it('leaves no trace when it is deleted with others', async () => {
    const people = Array.from({ length: 5 }, someone);
    const body = { items: people.map(({ fields }) => fields) };
    const made = await keyed().post(`${path}/batch/create`, body).expect(200);
    const ids = made.body.data.map(({ id }: { id: string }) => id);
    const patch = { name: 'Other', email: `${randomUUID()}@example.com` };
    await keyed()
      .post(`${path}/batch/update`, { items: [{ id: ids[0], patch }] })
      .expect(200);
    await keyed().post(`${path}/batch/read`, { ids }).expect(200);
    await client.post(`${path}/batch/delete`, { ids: ids.slice(0, 4) }).expect(200);
    await foldLeadCounters(app.production.db);
    for (const { mark } of people.slice(0, 4)) expect(await traces(app, mark)).toEqual([]);
    expect(await traces(app, people[4]?.mark ?? '')).toContain('idempotency_keys.body');
    expect(typesOf(await eventsOf(client, ids[0]))).toEqual([
      `${kind}.created`,
      `${kind}.updated`,
      `${kind}.deleted`,
    ]);
  });
});

describe.each([
  ['NUL', 'k\u0000'],
  ['a lone surrogate', 'k\ud800'],
])('an item that fails because of a key with %s', (_what, key) => {
  const faulty = { metadata: { [key]: `v${key}`, ok: { [key]: 1 } }, [key]: { [key]: key } };

  it.each([
    ['lead', leads],
    ['contact', contacts],
  ] as [string, TestResource][])('lets the %ss beside it be deleted', async (_kind, { path }) => {
    const { mark, fields } = someone();
    const once = keyed();
    const body = { items: [fields, { ...someone().fields, ...faulty }] };
    const first = await once.post(`${path}/batch/create`, body).expect(200);
    const [created, failed] = first.body.data;
    expect(Object.keys(failed.errors).toSorted()).toEqual(['body', 'metadata', 'metadata.ok']);
    await client.delete(`${path}/${created.id}`).expect(204);
    await foldLeadCounters(app.production.db);
    expect(await traces(app, mark)).toEqual([]);
    const again = await once.post(`${path}/batch/create`, body).expect(200);
    expect(again.body.data[1]).toEqual(failed);
  });

  it('lets them be deleted after it was stored by an earlier version, which repeated the key', async () => {
    const { mark, fields } = someone();
    const idempotencyKey = randomUUID();
    const once = client.with({ 'Idempotency-Key': idempotencyKey });
    const body = { items: [fields, {}] };
    const first = await once.post('/leads/batch/create', body).expect(200);
    const [{ id }, failed] = first.body.data;
    const errors = { [`metadata.${key}${key}`]: [key], '\\u0000 \\\\ud800': ['\\', `\\${key}`] };
    const stored = JSON.stringify({ ...first.body, data: [first.body.data[0], { ...failed, errors }] });
    await app.production
      .knex('idempotency_keys')
      .where({ key: idempotencyKey })
      .update({ body: stored as never });
    await client.delete(`/leads/${id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
    const again = await once.post('/leads/batch/create', body).expect(200);
    const readable = JSON.parse(JSON.stringify(errors).replaceAll(/(?<=k)\\u(0000|d800)/g, '\ufffd'));
    expect(again.body.data[1]).toEqual({ ...failed, errors: readable });
  });
});

describe('contacts that are deleted together', () => {
  it('leave their leads, without a contact', async () => {
    const made = await Promise.all([1, 2, 3].map(() => make(client, leads)));
    const converted = await Promise.all(
      made.map(({ id }) => client.post(`/leads/${id}/convert`, {}).expect(201)),
    );
    const ids = converted.map(({ body }) => body.data.contact.id);
    await client.post('/contacts/batch/delete', { ids: ids.slice(0, 2) }).expect(200);
    for (const [at, { id }] of made.entries()) {
      const { body } = await client.get(`/leads/${id}`).expect(200);
      expect(body.data.contact_id).toBe(at < 2 ? null : ids[2]);
      const last = (await eventsOf(client, id)).at(-1);
      if (at < 2) expect(last?.data.changes).toEqual({ contact_id: { from: ids[at], to: null } });
    }
  });
});
