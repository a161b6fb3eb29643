/** What batches that update, delete and read promise, of leads and of contacts alike. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeBatch } from './batches.ts';
import { uniqueEmail } from './factories.ts';
import { make } from './resources.ts';

export function promiseBatchUpdate(kind: 'lead' | 'contact'): void {
  describeBatch(kind, 'update', (subject) => {
    it('changes each, as a PATCH does, and several times one after another', async () => {
      const { client, resource, batch } = subject;
      const a = await make(client, resource, { company: 'Engines', tags: ['x'] });
      const b = await make(client, resource);
      const { data } = await batch('update', {
        items: [
          { id: a.id, version: 1, patch: { company: null, tags: null } },
          { id: b.id, patch: {} },
          { id: a.id, version: 1, patch: { name: 'Late' } },
          { id: a.id, version: 2, patch: { name: 'In time' } },
          { id: b.id, patch: { email: a.email } },
          { id: b.id, patch: { name: 3, nonsense: 1 } },
          { id: `${kind}_01m7w4n5e0e3tajy9kep34bze2`, patch: {} },
          { id: 'nonsense', patch: {} },
          { patch: {} },
          { id: b.id, name: 'Beside' },
        ],
      });
      expect(data).toMatchObject([
        { status: 'updated', id: a.id, [kind]: { company: null, tags: [], version: 2 } },
        { status: 'unchanged', id: b.id, [kind]: { version: 1 } },
        { status: 'failed', code: 'version_mismatch', errors: { version: [expect.any(String)] } },
        { status: 'updated', id: a.id, [kind]: { name: 'In time', version: 3 } },
        { code: 'duplicate_email', existing_id: a.id, errors: { 'patch.email': [expect.any(String)] } },
        { errors: { 'patch.name': ['must be a string'], 'patch.nonsense': [expect.any(String)] } },
        { code: 'not_found', errors: { id: ['does not exist'] } },
        { code: 'not_found', errors: { id: ['does not exist'] } },
        { code: 'validation_failed', errors: { id: ['is required'] } },
        { errors: { patch: ['is required'], name: [expect.any(String)] } },
      ]);
      expect(await subject.typesOf(a.id)).toEqual([`${kind}.created`, `${kind}.updated`, `${kind}.updated`]);
      expect(await subject.typesOf(b.id)).toEqual([`${kind}.created`]);
    });

    it('lets one take what an earlier item gave up', async () => {
      const { client, resource } = subject;
      const a = await make(client, resource);
      const b = await make(client, resource);
      const items = [
        { id: b.id, patch: { email: a.email } },
        { id: a.id, patch: { email: uniqueEmail() } },
        { id: b.id, patch: { email: a.email } },
      ];
      expect(await subject.statuses('update', { items })).toEqual(['failed', 'updated', 'updated']);
    });

    it('with atomic, changes all or nothing', async () => {
      const { client, resource } = subject;
      const a = await make(client, resource);
      const items = [
        { id: a.id, patch: { name: 'Changed' } },
        { id: a.id, version: 7, patch: { phone: '0' } },
        { id: a.id, version: 7, patch: {} },
      ];
      const send = (sent: object[]) =>
        client.post(`${resource.path}/batch/update`, { atomic: true, items: sent });
      const { body } = await send(items).expect(422);
      expect(Object.keys(body.errors)).toEqual(['items.1.patch.phone', 'items.2.version']);
      expect((await client.get(`${resource.path}/${a.id}`)).body.data.version).toBe(1);
      await send(items.slice(0, 1)).expect(200);
    });
  });
}

export function promiseBatchDelete(kind: 'lead' | 'contact'): void {
  describeBatch(kind, 'delete', (subject) => {
    it('deletes each that exists', async () => {
      const { client, resource, batch } = subject;
      const [a, b] = [await make(client, resource), await make(client, resource)];
      const unknown = `${kind}_01m7w4n5e0e3tajy9kep34bze2`;
      const { data } = await batch('delete', { ids: [a.id, unknown, 'x', b.id, a.id] });
      expect(data).toEqual([
        { index: 0, status: 'deleted', id: a.id },
        { index: 1, status: 'not_found', id: unknown },
        { index: 2, status: 'not_found', id: 'x' },
        { index: 3, status: 'deleted', id: b.id },
        { index: 4, status: 'not_found', id: a.id },
      ]);
      for (const { id } of [a, b]) {
        await client.get(`${resource.path}/${id}`).expect(404);
        expect(await subject.typesOf(id)).toEqual([`${kind}.created`, `${kind}.deleted`]);
      }
      expect(await subject.statuses('delete', { ids: [a.id] })).toEqual(['not_found']);
    });

    it('with atomic, deletes all or nothing', async () => {
      const { client, resource } = subject;
      const { id } = await make(client, resource);
      const send = (ids: string[]) => client.post(`${resource.path}/batch/delete`, { atomic: true, ids });
      const { body } = await send([id, 'x', id]).expect(422);
      expect(body.errors).toEqual({ 'ids.1': ['does not exist'], 'ids.2': ['does not exist'] });
      await client.get(`${resource.path}/${id}`).expect(200);
      await send([id]).expect(200);
      await client.get(`${resource.path}/${id}`).expect(404);
    });
  });
}

export function promiseBatchRead(kind: 'lead' | 'contact'): void {
  describeBatch(kind, 'read', (subject) => {
    it('finds by ids, emails or external ids, in order', async () => {
      const { client, resource, batch } = subject;
      const a = await make(client, resource, { external_id: randomUUID() });
      const b = await make(client, resource, { external_id: randomUUID() });
      const shown = async ({ id }: { id: string }) => ({
        status: 'found',
        id,
        [kind]: (await client.get(`${resource.path}/${id}`).expect(200)).body.data,
      });
      const expected = [await shown(b), { status: 'not_found' }, await shown(a), await shown(b)];
      const results = expected.map((result, index) => ({ index, ...result }));
      const unknown = `${kind}_01m7w4n5e0e3tajy9kep34bze2`;
      expect((await batch('read', { ids: [b.id, unknown, a.id, b.id] })).data).toEqual(results);
      expect((await batch('read', { ids: [b.id, 'x', a.id, b.id] })).data).toEqual(results);
      const emails = [b.email, 'x', `${a.email}`.toUpperCase(), b.email];
      expect((await batch('read', { emails })).data).toEqual(results);
      const external_ids = [b.external_id, 'x', a.external_id, b.external_id];
      expect((await batch('read', { external_ids })).data).toEqual(results);
    });

    it('needs the scope to read, and exactly one way to find', async () => {
      const { app, client, resource } = subject;
      const name = resource.path.slice(1);
      const path = `${resource.path}/batch/read`;
      const reader = await app.client([`${name}:read`]);
      await reader.post(path, { ids: ['x'] }).expect(200);
      const writer = await app.client([`${name}:write`]);
      await writer.post(path, { ids: ['x'] }).expect(403);
      const { body } = await client.post(path, { ids: ['x'], emails: ['x'] }).expect(422);
      expect(body.errors).toEqual({ body: ['must have at most 1 key'] });
      await client.post(path, {}).expect(422);
    });
  });
}
