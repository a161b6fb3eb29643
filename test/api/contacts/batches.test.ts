/** The batches of contacts, which share their code with those of leads. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectListLimits, useBatches } from '../../support/batches.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { contacts, make } from '../../support/resources.ts';

const subject = useBatches(contacts);
const unknown = 'contact_01m7w4n5e0e3tajy9kep34bze2';

describe('POST /contacts/batch/…', () => {
  it('create creates the valid items and describes the others', async () => {
    const other = await make(subject.client, contacts);
    const { data } = await subject.batch('create', {
      items: [{ name: 'Ada', title: 'Countess' }, { ...contacts.input(), email: other.email }, { title: 3 }],
    });
    expect(data).toMatchObject([
      { status: 'created', contact: { name: 'Ada', title: 'Countess', email: null, version: 1 } },
      {
        code: 'duplicate_email',
        errors: { email: ['email is already used by another contact.'] },
        existing_id: other.id,
      },
      { errors: { name: ['name is required.'], title: ['title must be a string or null.'] } },
    ]);
    expect(await subject.typesOf(data[0]?.id ?? '')).toEqual(['contact.created']);
    const atomic = { atomic: true, items: [contacts.input(), {}] };
    const before = await subject.total();
    await subject.client.post('/contacts/batch/create', atomic).expect(422);
    expect(await subject.total()).toBe(before);
    await expectListLimits(subject, 'create', 'items');
  });

  it.each([
    ['email', uniqueEmail],
    ['external_id', randomUUID],
  ])('upsert finds contacts by %s', async (match, newKey) => {
    const [key, other] = [newKey(), newKey()];
    const { id } = await make(subject.client, contacts, { [match]: key, company: 'Engines' });
    const { data } = await subject.batch('upsert', {
      match,
      items: [{ [match]: key, company: null }, { [match]: other, name: 'New' }, { [match]: newKey() }],
    });
    expect(data).toMatchObject([
      { status: 'updated', id, contact: { company: null, version: 2 } },
      { status: 'created', contact: { name: 'New', [match]: other } },
      { status: 'failed', errors: { name: ['name is required.'] } },
    ]);
    expect(await subject.typesOf(id)).toEqual(['contact.created', 'contact.updated']);
    await expectListLimits(subject, 'upsert', 'items', { match });
  });

  it('update changes contacts', async () => {
    const { id } = await make(subject.client, contacts);
    const { data } = await subject.batch('update', {
      items: [
        { id, version: 1, patch: { title: 'Countess' } },
        { id, version: 1, patch: { title: null } },
        { id: unknown, patch: {} },
      ],
    });
    expect(data).toMatchObject([
      { status: 'updated', contact: { title: 'Countess', version: 2 } },
      { code: 'version_mismatch' },
      { code: 'not_found' },
    ]);
    expect(await subject.typesOf(id)).toEqual(['contact.created', 'contact.updated']);
    await expectListLimits(subject, 'update', 'items');
  });

  it('delete deletes contacts', async () => {
    const { id } = await make(subject.client, contacts);
    expect(await subject.statuses('delete', { ids: [id, unknown, id] })).toEqual([
      'deleted',
      'not_found',
      'not_found',
    ]);
    await subject.client.get(`/contacts/${id}`).expect(404);
    expect(await subject.typesOf(id)).toEqual(['contact.created', 'contact.deleted']);
    await expectListLimits(subject, 'delete', 'ids');
  });

  it('read finds contacts by id, email or external id, with the scope contacts:read', async () => {
    const contact = await make(subject.client, contacts, { external_id: randomUUID() });
    const { id, email, external_id } = contact;
    const found = { index: 0, status: 'found', id, contact };
    for (const body of [{ ids: [id] }, { emails: [email] }, { external_ids: [external_id] }]) {
      expect((await subject.batch('read', body)).data).toEqual([found]);
    }
    expect(await subject.statuses('read', { ids: [unknown, 'x'] })).toEqual(['not_found', 'not_found']);
    const writer = await subject.app.client(['contacts:write']);
    await writer.post('/contacts/batch/read', { ids: [id] }).expect(403);
    await expectListLimits(subject, 'read', 'ids');
  });
});
