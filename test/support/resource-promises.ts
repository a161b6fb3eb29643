/** What creating, reading, updating and deleting promise, whatever the resource. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TestApp } from './app.ts';
import { asRead, expectRefusal, make, read, type TestResource } from './resources.ts';

type Item = Record<string, unknown> & { id: string; version: number };

const READ_ONLY = ['id', 'version', 'created_at', 'updated_at'];

const makeItem = async (app: TestApp, resource: TestResource<unknown>, fields = {}) =>
  (await make(await app.client(), resource, fields)) as Item;

export function describeCreate(resource: TestResource<unknown>, app: () => TestApp): void {
  const { path, prefix, nameField, required, longestName = 300 } = resource;
  const tooLong = 'a'.repeat(longestName + 1);
  describe(`POST ${path}, like every creation`, () => {
    it('answers 201 with the full resource, its address and its version', async () => {
      const client = await app().client();
      const input = resource.input();
      const { body, headers } = await client.post(path, input).expect(201).expect('ETag', '"1"');
      expect(body.data).toMatchObject({ ...input, version: 1 });
      expect(body.data.id).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
      expect(headers.location).toBe(`https://api.test/v1${path}/${body.data.id}`);
      expect(await read(client, resource, body.data.id)).toEqual(asRead(resource, body.data));
    });

    it.each(required)('refuses a body without %s', async (field) => {
      const { [field]: _left, slug: _slug, ...input } = resource.input();
      await expectRefusal((await app().client()).post(path, input), { field });
    });

    it.each([...READ_ONLY, 'colour'])('refuses %s, which is not for the client to say', async (field) => {
      await expectRefusal((await app().client()).post(path, { ...resource.input(), [field]: 'x' }), {
        field,
      });
    });

    it.each(['', '   ', 'a\u0000b', tooLong, 7, null])('refuses the name %j', async (name) => {
      const input = { ...resource.input(), [nameField]: name };
      await expectRefusal((await app().client()).post(path, input), { field: nameField });
    });

    it('is done once for one Idempotency-Key', async () => {
      const client = (await app().client()).with({ 'Idempotency-Key': randomUUID() });
      const input = resource.input();
      const first = await client.post(path, input).expect(201);
      const second = await client.post(path, input).expect(201).expect('Idempotency-Replayed', 'true');
      expect(second.body).toEqual(first.body);
      const { body } = await client.post(path, resource.input('Another')).expect(422);
      expect(body.code).toBe('idempotency_key_reused');
    });
  });
}

/** A value of this field belongs to one resource only. */
export function describeUnique(
  resource: TestResource<unknown>,
  app: () => TestApp,
  field: string,
  value: string,
): void {
  const { path } = resource;
  const code = `duplicate_${field}`;
  describe(`${path}: ${field} is unique`, () => {
    it('in a creation, and says who has it to those who may read it', async () => {
      const client = await app().client();
      const taken = { [field]: value.replace('x', randomUUID()) };
      const first = await makeItem(app(), resource, taken);
      const body = { ...resource.input(), ...taken };
      const refused = await expectRefusal(client.post(path, body), { field, code });
      expect(refused.existing_id).toBe(first.id);
      const writer = await app().client(['write']);
      const unseen = await expectRefusal(writer.post(path, body), { field, code });
      expect(unseen).not.toHaveProperty('existing_id');
    });

    it('in a change, whose other fields are not made either', async () => {
      const client = await app().client();
      const taken = { [field]: value.replace('x', randomUUID()) };
      const first = await makeItem(app(), resource, taken);
      const second = await makeItem(app(), resource);
      const patch = { ...taken, [resource.nameField]: 'Changed' };
      const refused = await expectRefusal(client.patch(`${path}/${second.id}`, patch), { field, code });
      expect(refused.existing_id).toBe(first.id);
      expect(await read(client, resource, second.id)).toEqual(second);
    });

    it('when ten want it at the same moment: one 201, nine 422', async () => {
      const client = await app().client();
      const taken = { [field]: value.replace('x', randomUUID()) };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => client.post(path, { ...resource.input(), ...taken })),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 422)]);
    });

    it('is free again when its resource is deleted', async () => {
      const client = await app().client();
      const taken = { [field]: value.replace('x', randomUUID()) };
      const { id } = await makeItem(app(), resource, taken);
      await client.delete(`${path}/${id}`).expect(204);
      await make(client, resource, taken);
    });
  });
}

export function describeRead(resource: TestResource<unknown>, app: () => TestApp): void {
  const { path, prefix } = resource;
  describe(`GET ${path}/{id}, like every read`, () => {
    it('answers the resource with its version, and 304 to who has it', async () => {
      const client = await app().client();
      const item = await makeItem(app(), resource);
      const { body } = await client.get(`${path}/${item.id}`).expect(200).expect('ETag', '"1"');
      expect(body).toEqual({ data: item });
      const known = await client.with({ 'If-None-Match': '"1"' }).get(`${path}/${item.id}`).expect(304);
      expect(known.text).toBe('');
      await client.with({ 'If-None-Match': '"2"' }).get(`${path}/${item.id}`).expect(200);
    });

    it.each([`${prefix}_01h455vb4pex5vsknk084sn02q`, 'x', 'hook_01h455vb4pex5vsknk084sn02q'])(
      'answers 404 for %s',
      async (id) => {
        const { body } = await (await app().client()).get(`${path}/${id}`).expect(404);
        expect(body.code).toBe('not_found');
      },
    );

    it('does not see into the other environment', async () => {
      const { id } = await makeItem(app(), resource);
      await (await app().client(['read'], 'sandbox')).get(`${path}/${id}`).expect(404);
    });
  });
}

export function describeUpdate(resource: TestResource<unknown>, app: () => TestApp): void {
  const { path, nameField } = resource;
  describe(`PATCH ${path}/{id}, like every change`, () => {
    it('changes what is sent, leaves the rest, and counts the version up', async () => {
      const client = await app().client();
      const item = await makeItem(app(), resource);
      const { body } = await client
        .patch(`${path}/${item.id}`, { [nameField]: 'Renamed' })
        .expect(200)
        .expect('ETag', '"2"');
      const { updated_at } = body.data;
      expect(body.data).toEqual({ ...item, [nameField]: 'Renamed', version: 2, updated_at });
      expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(String(item.updated_at)));
      expect(await read(client, resource, item.id)).toEqual(body.data);
    });

    it('keeps version and time when nothing changes', async () => {
      const client = await app().client();
      const item = await makeItem(app(), resource);
      for (const patch of [{}, { [nameField]: item[nameField] }]) {
        const { body } = await client.patch(`${path}/${item.id}`, patch).expect(200).expect('ETag', '"1"');
        expect(body.data).toEqual(item);
      }
    });

    it.each([...READ_ONLY, 'colour'])('refuses %s, which is not for the client to say', async (field) => {
      const { id } = await makeItem(app(), resource);
      await expectRefusal((await app().client()).patch(`${path}/${id}`, { [field]: 'x' }), { field });
    });

    it.each([null, '', ' '])('refuses to empty the name: %j', async (name) => {
      const { id } = await makeItem(app(), resource);
      const patched = (await app().client()).patch(`${path}/${id}`, { [nameField]: name });
      await expectRefusal(patched, { field: nameField });
    });

    it('changes nothing at another version', async () => {
      const client = await app().client();
      const item = await makeItem(app(), resource);
      const late = client.with({ 'If-Match': '"2"' });
      const { body } = await late.patch(`${path}/${item.id}`, { [nameField]: 'Late' }).expect(412);
      expect(body.code).toBe('version_mismatch');
      expect(await read(client, resource, item.id)).toEqual(item);
    });

    it('lets one of ten win who change the same version', async () => {
      const client = (await app().client()).with({ 'If-Match': '"1"' });
      const { id } = await makeItem(app(), resource);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => client.patch(`${path}/${id}`, { [nameField]: `N${n}` })),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(9);
    });
  });
}

export function describeDelete(resource: TestResource<unknown>, app: () => TestApp): void {
  const { path } = resource;
  describe(`DELETE ${path}/{id}, like every deletion`, () => {
    it('answers 204 without a body, then 404 to everything', async () => {
      const client = await app().client();
      const { id } = await makeItem(app(), resource);
      const { text } = await client.delete(`${path}/${id}`).expect(204);
      expect(text).toBe('');
      await client.delete(`${path}/${id}`).expect(404);
      await client.get(`${path}/${id}`).expect(404);
      await client.patch(`${path}/${id}`, {}).expect(404);
    });

    it('deletes nothing at another version', async () => {
      const client = await app().client();
      const { id } = await makeItem(app(), resource);
      await client.with({ 'If-Match': '"2"' }).delete(`${path}/${id}`).expect(412);
      await client.with({ 'If-Match': '"1"' }).delete(`${path}/${id}`).expect(204);
    });
  });
}
