/** What a client may store under names of its own is bounded in bytes, however it comes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { formInput, makeHook, sendIn } from '../support/hooks.ts';
import {
  contacts,
  content,
  expectRefusal,
  leads,
  make,
  read,
  type TestResource,
} from '../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const LIMIT = 16 * 1024;

/** Metadata, of any length of its JSON, of which no text is too long. */
function metadataOf(bytes: number): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let n = 0; size(metadata) < bytes; n += 1) {
    const key = `key-${n}`;
    const room = bytes - size({ ...metadata, [key]: '' });
    metadata[key] = 'x'.repeat(Math.min(400, room));
  }
  return metadata;
}

const size = (value: object) => Buffer.byteLength(JSON.stringify(value));

describe.each([leads, contacts, content] as TestResource[])('the metadata of $path', (resource) => {
  const { path } = resource;

  it('has at most 16 KiB of JSON, in a creation', async () => {
    const metadata = metadataOf(LIMIT);
    expect(size(metadata)).toBe(LIMIT);
    const made = await make(client, resource, { metadata });
    expect(made.metadata).toEqual(metadata);
    const larger = { ...resource.input(), metadata: { ...metadata, 'key-0': `${metadata['key-0']}x` } };
    const { errors } = await expectRefusal(client.post(path, larger), { field: 'metadata' });
    expect(errors?.metadata).toEqual(['metadata must have at most 16 KiB of JSON.']);
  });

  it('is counted in bytes as it is written', async () => {
    const texts = (text: string) => Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`, text]));
    await make(client, resource, { metadata: texts('x'.repeat(300)) });
    for (const text of ['é'.repeat(200), '"'.repeat(200), '\u0001'.repeat(60)]) {
      const input = { ...resource.input(), metadata: texts(text) };
      await expectRefusal(client.post(path, input), { field: 'metadata' });
    }
  });

  it('has no more after a merge patch, either', async () => {
    const metadata = metadataOf(LIMIT - 100);
    const { id } = await make(client, resource, { metadata });
    const grow = client.patch(`${path}/${id}`, { metadata: { more: 'x'.repeat(100) } });
    await expectRefusal(grow, { field: 'metadata' });
    await client.patch(`${path}/${id}`, { metadata: { more: 'x'.repeat(80) } }).expect(200);
    await client.patch(`${path}/${id}`, { metadata: { 'key-0': null, more: 'x'.repeat(400) } }).expect(200);
  });

  it('that was stored before the limit does not keep the rest from being changed', async () => {
    const { id } = await make(client, resource);
    const table = path.slice(1);
    const metadata = metadataOf(LIMIT + 1);
    await app.production.knex.raw(
      `update ${table} set metadata = ?::jsonb where version = 1 and id = (
      select id from ${table} order by id desc limit 1)`,
      [JSON.stringify(metadata)],
    );
    const { body } = await client.patch(`${path}/${id}`, { tags: ['vip'] }).expect(200);
    expect(body.data).toMatchObject({ tags: ['vip'], metadata });
  });
});

describe('an inbound hook', () => {
  const keys = Array.from({ length: 40 }, (_, n) => `key-${n}`);
  const mapping = {
    name: '/name',
    email: '/email',
    ...Object.fromEntries(keys.map((key) => [`metadata.${key}`, `/${key}`])),
  };
  const filled = (length: number) => Object.fromEntries(keys.map((key) => [key, 'x'.repeat(length)]));

  it('leaves out metadata beyond that with a warning, and so does its preview', async () => {
    const hook = await makeHook(client, { mapping });
    const payload = { ...formInput(), ...filled(450) };
    const { body } = await client.post(`${hook.path}/preview`, { payload }).expect(200);
    expect(body.data.status).toBe('created');
    expect(body.data.warnings).not.toEqual([]);
    const { delivery_id, status } = await sendIn(app, hook, payload);
    expect(status).toBe('created');
    const delivery = await client.get(`${hook.path}/deliveries/${delivery_id}`).expect(200);
    expect(delivery.body.data.warnings).toEqual(body.data.warnings);
    const lead = await read(client, leads, delivery.body.data.lead_id);
    expect(size(lead.metadata)).toBeLessThanOrEqual(LIMIT);
  });

  it('adds to a lead what fits', async () => {
    const hook = await makeHook(client, { mapping });
    const lead = await make(client, leads, { metadata: metadataOf(LIMIT - 1_000) });
    const payload = { ...formInput(), email: lead.email, 'key-38': 'kept', 'key-39': 'x'.repeat(450) };
    const more = { ...filled(0), ...payload };
    expect(await sendIn(app, hook, more)).toMatchObject({ status: 'merged' });
    const after = await read(client, leads, lead.id);
    expect(size(after.metadata)).toBeLessThanOrEqual(LIMIT);
    expect(after.metadata).toMatchObject({ ...lead.metadata, 'key-38': 'kept' });
  });

  it('has at most 16 KiB of mapping, after a patch too', async () => {
    const long = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`metadata.${n}`, `/${'p'.repeat(480)}`]));
    const required = { name: '/name', email: '/email' };
    const refused = client.post('/inbound-hooks', { name: 'Form', mapping: { ...required, ...long(40) } });
    const { errors } = await expectRefusal(refused, { field: 'mapping' });
    expect(errors?.mapping).toEqual(['mapping must have at most 16 KiB of JSON.']);
    const hook = await makeHook(client, { mapping: { ...required, ...long(30) } });
    const { 'metadata.0': _first, ...others } = long(40);
    await expectRefusal(client.patch(hook.path, { mapping: others }), { field: 'mapping' });
    await client.patch(hook.path, { name: 'Another' }).expect(200);
  });

  it('keeps at most 16 KiB of warnings', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `${'\u0001'.repeat(38)}${String(n).padStart(2, '0')}`);
    const faulty = Object.fromEntries(names.map((name, n) => [`metadata.${name}`, `/${n}`]));
    const hook = await makeHook(client, { mapping: { name: '/name', email: '/email', ...faulty } });
    const values = Object.fromEntries(names.map((_, n) => [n, 'x'.repeat(600)]));
    const { delivery_id } = await sendIn(app, hook, { ...formInput(), ...values });
    const { body } = await client.get(`${hook.path}/deliveries/${delivery_id}`).expect(200);
    expect(body.data.warnings.length).toBeGreaterThan(20);
    expect(size(body.data.warnings)).toBeLessThanOrEqual(LIMIT);
  });
});
