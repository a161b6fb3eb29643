/** What merging promises for leads and for contacts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createUser, uniqueEmail } from '../../support/factories.ts';
import { contacts, expectRefusal, leads, make, read, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

type Person = { id: string; version: number } & Record<string, unknown>;

describe.each([
  ['leads', leads as TestResource<Person>],
  ['contacts', contacts as TestResource<Person>],
])('merging %s', (_, resource) => {
  const { path, prefix } = resource;
  const field = `${prefix}_id`;
  const merge = (stays: string, other: string, as = client) =>
    as.post(`${path}/${stays}/merge`, { [field]: other });
  const two = async (fields: object = {}, others: object = {}) =>
    [await make(client, resource, fields), await make(client, resource, others)] as [Person, Person];
  const notesOf = async (id: string) => (await client.get(`/notes?${field}=${id}`).expect(200)).body.data;

  it('fills empty fields, unites tags and metadata, and keeps what the first one has', async () => {
    const assigned_user_id = await createUser(client);
    const external_id = randomUUID();
    const [stays, other] = await two(
      { company: 'Own', tags: ['a', 'b'], metadata: { plan: 'own' } },
      {
        ...{ phone: '+4915112345678', company: 'Other', assigned_user_id, external_id },
        ...{ tags: ['b', 'c'], metadata: { plan: 'other', size: '5' } },
      },
    );
    const { body, headers } = await merge(stays.id, other.id).expect(200);
    const { updated_at } = body.data;
    expect(body.data).toEqual({
      ...stays,
      ...{ other_emails: [other.email], phone: '+4915112345678', assigned_user_id, external_id },
      ...{ tags: ['a', 'b', 'c'], metadata: { plan: 'own', size: '5' } },
      ...{ version: 2, updated_at },
    });
    expect(headers.etag).toBe('"2"');
    expect(await read(client, resource, stays.id)).toEqual(body.data);
  });

  it('notes what the first one did not take over, so that nothing is lost', async () => {
    const [stays, other] = await two(
      { name: 'Ada Lovelace', company: 'Own', metadata: { plan: 'own' } },
      { name: 'Ada King', company: 'Other', metadata: { plan: 'other' }, external_id: randomUUID() },
    );
    await client.patch(`${path}/${stays.id}`, { external_id: randomUUID() }).expect(200);
    await merge(stays.id, other.id).expect(200);
    const [note] = await notesOf(stays.id);
    for (const text of [other.id, 'Ada King', 'Other', 'plan: other', String(other.external_id)])
      expect(note.text).toContain(text);
    expect(note.text).not.toContain('Own');
  });

  it('keeps within the limits of tags and metadata', async () => {
    const numbered = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, n) => `${prefix}${n}`);
    const map = (prefix: string, count: number) =>
      Object.fromEntries(numbered(prefix, count).map((key) => [key, 'x']));
    const [stays, other] = await two(
      { tags: numbered('a', 15), metadata: map('a', 40) },
      { tags: numbered('b', 15), metadata: map('b', 40) },
    );
    const { body } = await merge(stays.id, other.id).expect(200);
    expect(body.data.tags).toEqual([...numbered('a', 15), ...numbered('b', 5)]);
    expect(Object.keys(body.data.metadata)).toHaveLength(50);
    const [note] = await notesOf(stays.id);
    for (const text of ['b5, b6', 'b14', 'Metadata b10: x', 'Metadata b39: x'])
      expect(note.text).toContain(text);
  });

  it('does not assign it to somebody who is inactive', async () => {
    const assigned_user_id = await createUser(client);
    const [stays, other] = await two({}, { assigned_user_id });
    await client.patch(`/users/${assigned_user_id}`, { active: false }).expect(200);
    const { body } = await merge(stays.id, other.id).expect(200);
    expect(body.data.assigned_user_id).toBeNull();
  });

  it('moves the notes, with their authors and times', async () => {
    const [stays, other] = await two();
    const note = (await client.post('/notes', { [field]: other.id, text: 'Called back.', pinned: true })).body
      .data;
    await merge(stays.id, other.id).expect(200);
    const moved = (await notesOf(stays.id)).find(({ id }: { id: string }) => id === note.id);
    const { updated_at } = moved;
    expect(moved).toEqual({ ...note, [field]: stays.id, version: 2, updated_at });
    expect((await client.get(`/notes/${note.id}`).expect(200)).body.data).toEqual(moved);
  });

  it('answers 410 with the one that stayed to every request for the other', async () => {
    const [stays, other] = await two({ external_id: randomUUID() }, { external_id: randomUUID() });
    await merge(stays.id, other.id).expect(200);
    const own = `${path}/${other.id}`;
    const external = `${path}/external/${other.external_id}`;
    const third = await make(client, resource);
    for (const request of [
      client.get(own),
      client.head(own),
      client.patch(own, { name: 'X' }),
      client.delete(own),
      client.get(`/notes?${field}=${other.id}`),
      client.post('/notes', { [field]: other.id, text: 'X' }),
      client.get(`${own}/events`),
      merge(other.id, third.id),
      client.get(external),
      client.patch(external, { name: 'X', email: uniqueEmail() }),
      client.delete(external),
    ]) {
      const { status, body } = await request;
      expect({ status, ...body }).toMatchObject(
        request.method === 'HEAD' ? { status: 410 } : { status: 410, code: 'merged', merged_into: stays.id },
      );
    }
  });

  it('finds it by the external id that it took over', async () => {
    const [stays, other] = await two({}, { external_id: randomUUID() });
    await merge(stays.id, other.id).expect(200);
    const { body } = await client.get(`${path}/external/${other.external_id}`).expect(200);
    expect(body.data.id).toBe(stays.id);
  });

  it('gives the same answer when it is repeated, even with the version of the first request', async () => {
    const [stays, other] = await two({}, { phone: '+4915112345678' });
    const careful = client.with({ 'If-Match': '"1"' });
    const first = await merge(stays.id, other.id, careful).expect(200);
    const again = await merge(stays.id, other.id, careful).expect(200).expect('ETag', '"2"');
    expect(again.body).toEqual(first.body);
  });

  it('stores the answer for an Idempotency-Key, and tries it out in a dry run', async () => {
    const [stays, other] = await two({}, { phone: '+4915112345678' });
    const tried = await merge(stays.id, other.id, client.with({ 'Dry-Run': 'true' })).expect(200);
    expect(tried.body.data).toMatchObject({ phone: '+4915112345678', version: 2 });
    expect(await read(client, resource, other.id)).toEqual(other);
    expect(await read(client, resource, stays.id)).toEqual(stays);
    const keyed = client.with({ 'Idempotency-Key': randomUUID() });
    const { body } = await merge(stays.id, other.id, keyed).expect(200);
    const again = await merge(stays.id, other.id, keyed).expect(200).expect('Idempotency-Replayed', 'true');
    expect(again.body).toEqual(body);
  });

  it('refuses itself, an unknown one, one merged elsewhere, and an old version', async () => {
    const [stays, other] = await two();
    const third = await make(client, resource);
    await expectRefusal(merge(stays.id, stays.id), { field });
    await expectRefusal(merge(stays.id, `${prefix}_01m7w4n5e0e3tajy9kep34bze2`), { field });
    await expectRefusal(merge(stays.id, 'x'), { field });
    await merge(stays.id, other.id, client.with({ 'If-Match': '"7"' })).expect(412);
    await merge(third.id, other.id).expect(200);
    const { merged_into } = await expectRefusal(merge(stays.id, other.id), { field });
    expect(merged_into).toBe(third.id);
    await merge(`${prefix}_01m7w4n5e0e3tajy9kep34bze2`, stays.id).expect(404);
  });

  it('leads straight to the last one that stayed, and to nothing once that is deleted', async () => {
    const [first, second] = await two();
    const third = await make(client, resource);
    await merge(second.id, third.id).expect(200);
    await merge(first.id, second.id).expect(200);
    const { body } = await client.get(`${path}/${third.id}`).expect(410);
    expect(body.merged_into).toBe(first.id);
    await merge(second.id, third.id).expect(410);
    await client.delete(`${path}/${first.id}`).expect(204);
    await client.get(`${path}/${third.id}`).expect(404);
    await client.get(`${path}/${second.id}`).expect(404);
  });

  it('records the events in an order that a copy can follow', async () => {
    const [stays, other] = await two({}, { name: 'Ada King', external_id: randomUUID() });
    await client.post('/notes', { [field]: other.id, text: 'Called back.' }).expect(201);
    const { body: log } = await client.get('/events?cursor=latest').expect(200);
    await merge(stays.id, other.id).expect(200);
    const { body } = await client.get(`/events?cursor=${log.meta.next_cursor}`).expect(200);
    const events: { type: string; request_id: string; data: { object: object; changes: object } }[] =
      body.data;
    expect(events.map(({ type }) => type)).toEqual([
      'note.updated',
      `${prefix}.merged`,
      `${prefix}.deleted`,
      `${prefix}.updated`,
      'note.created',
    ]);
    expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(1);
    expect(events[0]?.data.changes).toEqual({ [field]: { from: other.id, to: stays.id } });
    expect(events[1]?.data).toEqual({ object: { id: other.id, merged_into: stays.id }, changes: {} });
    expect(events[2]?.data.object).toEqual({ id: other.id });
    const history = await client.get(`${path}/${stays.id}/events`).expect(200);
    const types = history.body.data.map(({ type }: { type: string }) => type).toReversed();
    expect(types).toEqual([
      `${prefix}.created`,
      `${prefix}.created`,
      'note.created',
      'note.updated',
      `${prefix}.merged`,
      `${prefix}.deleted`,
      `${prefix}.updated`,
      'note.created',
    ]);
    const names = history.body.data.map(
      ({ data }: { data: { object: { name?: string } } }) => data.object.name,
    );
    expect(names).not.toContain('Erased');
  });

  it('needs the scope to write', async () => {
    const [stays, other] = await two();
    await merge(stays.id, other.id, await app.client([`${prefix}s:read`])).expect(403);
    await merge(stays.id, other.id, await app.client([`${prefix}s:write`])).expect(200);
    await client.get(`${path}/${other.id}`).expect(410);
  });

  it('knows only its own environment', async () => {
    const sandbox = await app.client(['read', 'write'], 'sandbox');
    const [stays, other] = await two();
    await merge(stays.id, other.id).expect(200);
    await sandbox.get(`${path}/${other.id}`).expect(404);
    const [one, two_] = [await make(sandbox, resource), await make(sandbox, resource)];
    await merge(one.id, two_.id, sandbox).expect(200);
    await sandbox.post('/sandbox/reset').expect(200);
    await sandbox.get(`${path}/${two_.id}`).expect(404);
  });
});
