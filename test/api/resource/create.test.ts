/** What POST promises for every resource. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClients } from '../../support/api-clients.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { inboundHooks } from '../../support/hooks.ts';
import { notes } from '../../support/notes.ts';
import {
  asRead,
  contacts,
  content,
  expectRefusal,
  leads,
  make,
  read,
  refusedFields,
  type TestResource,
  users,
} from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
  await notes.prepare?.(app);
});

afterAll(() => app.close());

const all = [leads, contacts, content, users, inboundHooks, apiClients, notes];

describe.each<TestResource<{ id: string }>>(all)('POST $path', (resource) => {
  const { path, prefix, nameField, required, longestName = 300 } = resource;

  it('creates one resource for one Idempotency-Key, and returns it with its address and version', async () => {
    const once = client.with({ 'Idempotency-Key': randomUUID() });
    const input = resource.input();
    const { body, headers } = await once.post(path, input).expect(201).expect('ETag', '"1"');
    expect(body.data).toMatchObject({ ...input, version: 1 });
    expect(body.data.id).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
    expect(headers.location).toBe(`https://api.test/v1${path}/${body.data.id}`);
    expect(await read(client, resource, body.data.id)).toEqual(asRead(resource, body.data));
    const again = await once.post(path, input).expect(201).expect('Idempotency-Replayed', 'true');
    expect(again.body).toEqual(body);
    const other = await once.post(path, resource.input('Another')).expect(422);
    expect(other.body.code).toBe('idempotency_key_reused');
  });

  it('rejects missing, read-only and unknown fields, and names that are not a short text', async () => {
    expect(await refusedFields(client.post(path, {}))).toEqual([...required].sort());
    const extra = { id: 'x', version: 'x', created_at: 'x', updated_at: 'x', colour: 'x' };
    const fields = await refusedFields(client.post(path, { ...resource.input(), ...extra }));
    expect(fields).toEqual(Object.keys(extra).sort());
    for (const name of ['', '   ', 'a\0b', 'a'.repeat(longestName + 1), 7, null]) {
      const input = { ...resource.input(), [nameField]: name };
      await expectRefusal(client.post(path, input), { field: nameField });
    }
  });
});

describe.each<{ resource: TestResource<{ id: string }>; field: string; value: () => string }>([
  { resource: leads, field: 'email', value: () => `${randomUUID()}@example.com` },
  { resource: leads, field: 'external_id', value: randomUUID },
  { resource: contacts, field: 'email', value: () => `${randomUUID()}@example.com` },
  { resource: contacts, field: 'external_id', value: randomUUID },
  { resource: users, field: 'email', value: () => `${randomUUID()}@example.com` },
  { resource: content, field: 'slug', value: () => `slug-${randomUUID()}` },
])('$field of $resource.path', ({ resource, field, value }) => {
  const { path, nameField } = resource;
  const code = `duplicate_${field}`;

  it('is unique, and names its owner, also to clients that may not read', async () => {
    const taken = { [field]: value() };
    const [owner, other] = [await make(client, resource, taken), await make(client, resource)];
    const input = { ...resource.input(), ...taken };
    expect(await expectRefusal(client.post(path, input), { field, code })).toHaveProperty(
      'existing_id',
      owner.id,
    );
    const writer = await app.client(['write']);
    expect(await expectRefusal(writer.post(path, input), { field, code })).toHaveProperty(
      'existing_id',
      owner.id,
    );
    const patch = client.patch(`${path}/${other.id}`, { ...taken, [nameField]: 'Changed' });
    expect(await expectRefusal(patch, { field, code })).toHaveProperty('existing_id', owner.id);
    expect(await read(client, resource, other.id)).toEqual(other);
    await client.delete(`${path}/${owner.id}`).expect(204);
    await make(client, resource, taken);
  });

  it('is given to one of ten concurrent requests', async () => {
    const taken = { [field]: value() };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post(path, { ...resource.input(), ...taken })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
  });
});
