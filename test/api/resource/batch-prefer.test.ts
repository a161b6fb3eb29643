/** `Prefer` (RFC 7240) on batches. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useBatches } from '../../support/batches.ts';
import { contacts, leads, make, type TestResource } from '../../support/resources.ts';

type Item = { id: string; version: number };

describe.each([
  ['lead', leads],
  ['contact', contacts],
] as [string, TestResource<Item>][])('A batch of %ss', (kind, resource) => {
  const subject = useBatches(resource);

  const send = (action: string, body: object, headers: Record<string, string>) =>
    subject.client.with(headers).post(`${resource.path}/batch/${action}`, body);

  it('with return=minimal shows ids and errors, but no resources', async () => {
    const minimal = { Prefer: 'return=minimal' };
    const item = resource.input();
    const created = await send('create', { items: [item, { name: 7 }] }, minimal).expect(200);
    expect(created.headers['preference-applied']).toBe('return=minimal');
    const [{ id }] = created.body.data;
    expect(created.body).toEqual({
      data: [
        { index: 0, status: 'created', id: expect.stringMatching(new RegExp(`^${kind}_`)) },
        {
          index: 1,
          status: 'failed',
          code: 'validation_failed',
          message: expect.any(String),
          errors: expect.objectContaining({ name: ['must be a string'] }),
        },
      ],
      meta: expect.objectContaining({ total: 2, created: 1, failed: 1 }),
    });
    const changes = [
      { id, patch: { name: 'Changed' } },
      { id, patch: { name: 'Changed' } },
    ];
    const updated = await send('update', { items: changes }, minimal).expect(200);
    expect(updated.body.data).toEqual([
      { index: 0, status: 'updated', id },
      { index: 1, status: 'unchanged', id },
    ]);
    const upserts = [{ ...item, company: 'Navy' }, resource.input()];
    const upserted = await send('upsert', { match: 'email', items: upserts }, minimal).expect(200);
    expect(upserted.body.data).toEqual([
      { index: 0, status: 'updated', id },
      { index: 1, status: 'created', id: expect.any(String) },
    ]);
    const { body } = await subject.client.get(`${resource.path}/${id}`).expect(200);
    expect(body.data).toMatchObject({ name: item.name, company: 'Navy', version: 3 });
  });

  it.each([
    ['return=minimal', 'minimal'],
    ['respond-async, wait=10, return=minimal', 'minimal'],
    ['Return = "minimal"; foo="a, return=representation"', 'minimal'],
    ['handling=lenient;return=representation,RETURN=minimal', 'minimal'],
    ['foo="return=minimal \\" x", return=representation', 'representation'],
    ['return=representation, return=minimal', 'representation'],
    ['return=everything, return=minimal', undefined],
    ['return', undefined],
    ['return-minimal', undefined],
    ['foo="return=minimal', undefined],
    ['=,;"', undefined],
  ])('understands %s', async (prefer, applied) => {
    const answer = await send('create', { items: [resource.input()] }, { Prefer: prefer }).expect(200);
    expect(answer.headers['preference-applied']).toBe(applied && `return=${applied}`);
    expect(kind in answer.body.data[0]).toBe(applied !== 'minimal');
  });

  it('is a 422 with all errors if it is atomic, whatever is preferred', async () => {
    const items = [resource.input(), { name: 7 }];
    const answer = await send('create', { items, atomic: true }, { Prefer: 'return=minimal' }).expect(422);
    expect(answer.body.errors['items.1.name']).toEqual(['must be a string']);
    expect(answer.headers['preference-applied']).toBeUndefined();
  });

  it('is a dry run too', async () => {
    const headers = { Prefer: 'return=minimal', 'Dry-Run': 'true' };
    const before = await subject.total();
    const answer = await send('create', { items: [resource.input()] }, headers).expect(200);
    expect(answer.headers).toMatchObject({ 'dry-run': 'true', 'preference-applied': 'return=minimal' });
    expect(answer.body.data).toEqual([{ index: 0, status: 'created', id: expect.any(String) }]);
    expect(await subject.total()).toBe(before);
  });

  it('gets the stored answer when it is repeated, whatever it prefers then', async () => {
    const body = { items: [resource.input()] };
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await send('create', body, { ...key, Prefer: 'return=minimal' }).expect(200);
    for (const Prefer of ['foo', 'return=representation', 'return=minimal']) {
      const again = await send('create', body, { ...key, Prefer }).expect(200);
      expect(again.body).toEqual(first.body);
      expect(again.headers).toMatchObject({
        'idempotency-replayed': 'true',
        'preference-applied': 'return=minimal',
      });
    }
  });

  it('needs no scope to read', async () => {
    const { id } = await make(subject.client, resource);
    const writer = await subject.app.client([`${kind}s:write`]);
    const items = [{ id, patch: { name: 'Written' } }];
    const key = { 'Idempotency-Key': randomUUID(), Prefer: 'return=minimal' };
    for (const client of [subject.client, writer]) {
      const { body } = await client.with(key).post(`${resource.path}/batch/update`, { items }).expect(200);
      expect(body.data).toEqual([{ index: 0, status: expect.stringMatching(/updated|unchanged/), id }]);
    }
  });
});
