/** What batches that create promise, of leads and of contacts alike. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeBatch } from './batches.ts';
import { uniqueEmail } from './factories.ts';
import { make } from './resources.ts';

export function promiseBatchCreate(kind: 'lead' | 'contact'): void {
  describeBatch(kind, 'create', (subject) => {
    it('creates each item that is right, and says what is wrong with each other', async () => {
      const { client, resource, batch } = subject;
      const email = uniqueEmail();
      const other = await make(client, resource);
      const { data } = await batch('create', {
        items: [
          { ...resource.input('First'), email, tags: ['a', 'a'], metadata: { plan: 'gold' } },
          { ...resource.input('Second'), email: email.toUpperCase() },
          { ...resource.input(), email: other.email },
          { name: 3, email: 'nobody', nonsense: 1 },
          7,
          { ...resource.input(), name: 'NUL \0' },
          { ...resource.input(), '\0': 'x' },
          { ...resource.input(), assigned_user_id: 'user_01m7w4n5e0eymtkc82hvhg0xb9' },
          resource.input('Last'),
        ],
      });
      const used = { email: [`is already used by another ${kind}`] };
      const failed = (errors: object, code = 'validation_failed') => ({ status: 'failed', code, errors });
      expect(data).toMatchObject(
        [
          {
            status: 'created',
            [kind]: { name: 'First', tags: ['a'], metadata: { plan: 'gold' }, version: 1 },
          },
          { ...failed(used, 'duplicate_email'), existing_id: data[0]?.id },
          { ...failed(used, 'duplicate_email'), existing_id: other.id },
          failed({ name: ['must be a string'], email: ['must be an email address'], nonsense: [/unknown/] }),
          failed({ body: ['must be a JSON object'] }),
          failed({ name: ['must not contain the character NUL (U+0000)'] }),
          failed({ body: ['has a key that must not contain the character NUL (U+0000)'] }),
          failed({ assigned_user_id: ['must be the id of an active user'] }),
          { status: 'created', [kind]: { name: 'Last' } },
        ].map((result) => expectStrings(result)),
      );
      for (const at of [0, 8]) {
        const { id } = data[at] as { id: string };
        const { body } = await client.get(`${resource.path}/${id}`).expect(200);
        expect(data[at]).toEqual({ index: at, status: 'created', id, [kind]: body.data });
        expect(await subject.typesOf(id)).toEqual([`${kind}.created`]);
      }
    });

    it('says of each item what a request with it alone would get', async () => {
      const { client, resource, batch } = subject;
      const item = { ...resource.input(), phone: '0049', tags: ['', 7], metadata: { plan: 1 } };
      const { body } = await client.post(resource.path, item).expect(422);
      const { data } = await batch('create', { items: [item] });
      const { request_id: _, ...error } = body;
      expect(data).toEqual([{ index: 0, status: 'failed', ...error }]);
    });

    it('hides who has an email from a client that may not read', async () => {
      const { app, client, resource } = subject;
      const { email } = await make(client, resource);
      const writer = await app.client([`${resource.path.slice(1)}:write`]);
      const { body } = await writer
        .post(`${resource.path}/batch/create`, { items: [{ ...resource.input(), email }] })
        .expect(200);
      expect(body.data[0]).toMatchObject({ code: 'duplicate_email' });
      expect(body.data[0]).not.toHaveProperty('existing_id');
    });

    it('with atomic, creates all or nothing', async () => {
      const { client, resource, total } = subject;
      const before = await total();
      const items = [resource.input(), 7, { ...resource.input(), email: 'nobody' }, resource.input()];
      const { body } = await client
        .post(`${resource.path}/batch/create`, { atomic: true, items })
        .expect(422);
      expect(body).toMatchObject({
        code: 'validation_failed',
        errors: { 'items.1': ['must be a JSON object'], 'items.2.email': ['must be an email address'] },
      });
      expect(await total()).toBe(before);
      expect(await subject.statuses('create', { atomic: true, items: [items[0], items[3]] })).toEqual([
        'created',
        'created',
      ]);
      expect(await total()).toBe(before + 2);
    });

    it('repeated with the same Idempotency-Key, creates nothing more', async () => {
      const { client, resource, total } = subject;
      const once = client.with({ 'Idempotency-Key': randomUUID() });
      const body = { items: [resource.input(), {}] };
      const first = await once.post(`${resource.path}/batch/create`, body).expect(200);
      const before = await total();
      const second = await once.post(`${resource.path}/batch/create`, body).expect(200);
      expect(second.headers['idempotency-replayed']).toBe('true');
      expect(second.body).toEqual(first.body);
      expect(await total()).toBe(before);
    });

    it('is counted in a class of its own', async () => {
      const { client, resource } = subject;
      const { headers } = await client.post(`${resource.path}/batch/create`, { items: [{}] }).expect(200);
      expect(headers['ratelimit-policy']).toMatch(/^"batch"; /);
    });
  });
}

/** Patterns stand for any text that they match. */
function expectStrings(value: unknown): unknown {
  if (value instanceof RegExp) return expect.stringMatching(value);
  if (Array.isArray(value)) return value.map(expectStrings);
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expectStrings(member)]));
}

export function promiseBatchUpsert(kind: 'lead' | 'contact'): void {
  describeBatch(kind, 'upsert', (subject) => {
    it.each(['email', 'external_id'] as const)(
      'finds by %s: updates what exists, creates the rest',
      async (match) => {
        const { client, resource, batch } = subject;
        const keys = Array.from({ length: 3 }, () => (match === 'email' ? uniqueEmail() : randomUUID()));
        const more = () => (match === 'email' ? {} : { email: uniqueEmail() });
        const metadata = { plan: 'gold', seats: '5' };
        const { id } = await make(client, resource, { [match]: keys[0], company: 'Engines', metadata });
        const { data } = await batch('upsert', {
          match,
          items: [
            { [match]: keys[0], company: null, metadata: { plan: null, city: 'London' } },
            { [match]: keys[1], name: 'New', ...more(), phone: null, metadata: { plan: 'gold', no: null } },
            { [match]: keys[1], name: 'Newer' },
            { [match]: keys[1], name: 'Newer' },
            { [match]: keys[2] },
            { name: 'Nobody' },
            { [match]: keys[0], name: 3 },
          ],
        });
        expect(data).toMatchObject([
          {
            status: 'updated',
            id,
            [kind]: { company: null, metadata: { seats: '5', city: 'London' }, version: 2 },
          },
          { status: 'created', [kind]: { name: 'New', metadata: { plan: 'gold' }, version: 1 } },
          { status: 'updated', id: data[1]?.id, [kind]: { name: 'Newer', version: 2 } },
          { status: 'unchanged', id: data[1]?.id, [kind]: { name: 'Newer', version: 2 } },
          { status: 'failed', errors: { name: ['is required'] } },
          { status: 'failed', errors: { [match]: ['is required'] } },
          { status: 'failed', errors: { name: ['must be a string'] } },
        ]);
        expect(await subject.typesOf(id)).toEqual([`${kind}.created`, `${kind}.updated`]);
        expect(await subject.typesOf(data[1]?.id ?? '')).toEqual([`${kind}.created`, `${kind}.updated`]);
      },
    );

    it('finds an email whatever its case, and writes it as it was sent', async () => {
      const { client, resource, batch } = subject;
      const email = uniqueEmail();
      const { id } = await make(client, resource, { email });
      const items = [{ email: email.toUpperCase() }];
      const { data } = await batch('upsert', { match: 'email', items });
      expect(data).toMatchObject([{ status: 'updated', id, [kind]: { email: email.toUpperCase() } }]);
    });

    it('refuses a unique value that another one has', async () => {
      const { client, resource, batch } = subject;
      const other = await make(client, resource, { external_id: randomUUID() });
      const email = uniqueEmail();
      const items = [{ email, name: 'Ada', external_id: other.external_id }];
      const { data } = await batch('upsert', { match: 'email', items });
      expect(data).toMatchObject([{ code: 'duplicate_external_id', existing_id: other.id }]);
    });

    it('with atomic, writes all or nothing', async () => {
      const { client, resource } = subject;
      const external_id = randomUUID();
      const items = [{ external_id, name: 'Ada', email: uniqueEmail() }, { external_id: randomUUID() }];
      const send = (body: object) =>
        client.post(`${resource.path}/batch/upsert`, { match: 'external_id', atomic: true, ...body });
      const { body } = await send({ items }).expect(422);
      expect(body.errors).toMatchObject({ 'items.1.name': ['is required'] });
      expect((await client.get(`${resource.path}?external_id=${external_id}`)).body.data).toEqual([]);
      await send({ items: items.slice(0, 1) }).expect(200);
    });

    it('must know what to find by', async () => {
      const { body } = await subject.client
        .post(`${subject.resource.path}/batch/upsert`, { match: 'phone', items: [{}] })
        .expect(422);
      expect(body.errors).toEqual({ match: ['must be one of email, external_id'] });
    });
  });
}
