/** What GET, PATCH and DELETE of a single resource promise. The tests of leads go further. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClients } from '../../support/api-clients.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { inboundHooks } from '../../support/hooks.ts';
import { notes } from '../../support/notes.ts';
import {
  contacts,
  content,
  expectRefusal,
  make,
  read,
  refusedFields,
  type TestResource,
  users,
} from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

type Item = Record<string, unknown> & { id: string };

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
  await notes.prepare?.(app);
});

afterAll(() => app.close());

const changeable = [contacts, content, users, inboundHooks, notes] as TestResource<Item>[];

describe.each([...changeable, apiClients as TestResource<Item>])('GET $path/{id}', (resource) => {
  const { path, prefix } = resource;

  it('returns the resource unless the client has this version, or 404', async () => {
    const item = await make(client, resource);
    const { body } = await client.get(`${path}/${item.id}`).expect(200).expect('ETag', '"1"');
    expect(body).toEqual({ data: item });
    const known = await client.with({ 'If-None-Match': '"1"' }).get(`${path}/${item.id}`).expect(304);
    expect(known.text).toBe('');
    await client.with({ 'If-None-Match': '"2"' }).get(`${path}/${item.id}`).expect(200);
    for (const id of [`${prefix}_01h455vb4pex5vsknk084sn02q`, 'x', 'lead_01h455vb4pex5vsknk084sn02q']) {
      expect((await client.get(`${path}/${id}`).expect(404)).body.code).toBe('not_found');
    }
    const sandbox = await app.client(allScopes, 'sandbox');
    await sandbox.get(`${path}/${item.id}`).expect(404);
  });
});

/** Only the answer to a change of a user says what names the user. */
function withoutNames({ named_by: _, ...data }: Record<string, unknown>): object {
  return data;
}

describe.each(changeable)('PATCH $path/{id}', (resource) => {
  const { path, nameField } = resource;

  it('changes the given fields and the version, and nothing if they are the same', async () => {
    const item = await make(client, resource);
    const at = `${path}/${item.id}`;
    for (const patch of [{}, { [nameField]: item[nameField] }]) {
      const { body } = await client.patch(at, patch).expect(200).expect('ETag', '"1"');
      expect(withoutNames(body.data)).toEqual(item);
    }
    const { body } = await client
      .patch(at, { [nameField]: 'Renamed' })
      .expect(200)
      .expect('ETag', '"2"');
    const { updated_at } = body.data;
    const changed = withoutNames(body.data);
    expect(changed).toEqual({ ...item, [nameField]: 'Renamed', version: 2, updated_at });
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(String(item.updated_at)));
    expect(await read(client, resource, item.id)).toEqual(changed);
  });

  it('rejects read-only and unknown fields, and empty names', async () => {
    const { id } = await make(client, resource);
    const extra = { id: 'x', version: 'x', created_at: 'x', updated_at: 'x', colour: 'x' };
    expect(await refusedFields(client.patch(`${path}/${id}`, extra))).toEqual(Object.keys(extra).sort());
    for (const name of [null, '', ' ']) {
      await expectRefusal(client.patch(`${path}/${id}`, { [nameField]: name }), { field: nameField });
    }
  });

  it('changes the version named by If-Match once', async () => {
    const item = await make(client, resource);
    const at = `${path}/${item.id}`;
    const late = await client
      .with({ 'If-Match': '"2"' })
      .patch(at, { [nameField]: 'Late' })
      .expect(412);
    expect(late.body.code).toBe('version_mismatch');
    expect(await read(client, resource, item.id)).toEqual(item);
    const first = client.with({ 'If-Match': '"1"' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => first.patch(at, { [nameField]: `N${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  });
});

describe.each([...changeable, webhooks as TestResource<Item>])('DELETE $path/{id}', (resource) => {
  it('deletes the version named by If-Match for good', async () => {
    const { id } = await make(client, resource);
    const at = `${resource.path}/${id}`;
    await client.with({ 'If-Match': '"2"' }).delete(at).expect(412);
    const { text } = await client.with({ 'If-Match': '"1"' }).delete(at).expect(204);
    expect(text).toBe('');
    await client.delete(at).expect(404);
    await client.get(at).expect(404);
    await client.patch(at, {}).expect(404);
  });
});
