import { describe, expect, it } from 'vitest';
import { expectListLimits, useBatches } from '../../support/batches.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { leads, make } from '../../support/resources.ts';

const subject = useBatches(leads);

describe('POST /leads/batch/update', () => {
  it('changes each, as a PATCH does, and several times one after another', async () => {
    const { client, batch } = subject;
    const a = await make(client, leads, { company: 'Engines', tags: ['x'] });
    const b = await make(client, leads);
    const { data } = await batch('update', {
      items: [
        { id: a.id, version: 1, patch: { company: null, tags: null } },
        { id: b.id, patch: {} },
        { id: a.id, version: 1, patch: { name: 'Late' } },
        { id: a.id, version: 2, patch: { name: 'In time' } },
        { id: b.id, patch: { email: a.email } },
        { id: b.id, patch: { name: 3, nonsense: 1 } },
        { id: 'lead_01m7w4n5e0e3tajy9kep34bze2', patch: {} },
        { id: 'nonsense', patch: {} },
        { patch: {} },
        { id: b.id, name: 'Beside' },
      ],
    });
    expect(data).toMatchObject([
      { status: 'updated', id: a.id, lead: { company: null, tags: [], version: 2 } },
      { status: 'unchanged', id: b.id, lead: { version: 1 } },
      { status: 'failed', code: 'version_mismatch', errors: { version: [expect.any(String)] } },
      { status: 'updated', id: a.id, lead: { name: 'In time', version: 3 } },
      { code: 'duplicate_email', existing_id: a.id, errors: { 'patch.email': [expect.any(String)] } },
      { errors: { 'patch.name': ['patch.name must be a string.'], 'patch.nonsense': [expect.any(String)] } },
      { code: 'not_found', errors: { id: ['id does not exist.'] } },
      { code: 'not_found', errors: { id: ['id does not exist.'] } },
      { code: 'validation_failed', errors: { id: ['id is required.'] } },
      { errors: { patch: ['patch is required.'], name: [expect.any(String)] } },
    ]);
    expect(await subject.typesOf(a.id)).toEqual(['lead.created', 'lead.updated', 'lead.updated']);
    expect(await subject.typesOf(b.id)).toEqual(['lead.created']);
  });

  it('lets an item take a value that an earlier item freed', async () => {
    const { client } = subject;
    const a = await make(client, leads);
    const b = await make(client, leads);
    const items = [
      { id: b.id, patch: { email: a.email } },
      { id: a.id, patch: { email: uniqueEmail() } },
      { id: b.id, patch: { email: a.email } },
    ];
    expect(await subject.statuses('update', { items })).toEqual(['failed', 'updated', 'updated']);
  });

  it('with atomic, changes all or nothing', async () => {
    const { client } = subject;
    const a = await make(client, leads);
    const items = [
      { id: a.id, patch: { name: 'Changed' } },
      { id: a.id, version: 7, patch: { phone: '0' } },
      { id: a.id, version: 7, patch: {} },
    ];
    const send = (sent: object[]) => client.post('/leads/batch/update', { atomic: true, items: sent });
    const { body } = await send(items).expect(422);
    expect(Object.keys(body.errors)).toEqual(['items.1.patch.phone', 'items.2.version']);
    expect((await client.get(`/leads/${a.id}`)).body.data.version).toBe(1);
    await send(items.slice(0, 1)).expect(200);
  });

  it('takes a list of 1 to 1,000, and no unknown fields', () => expectListLimits(subject, 'update', 'items'));
});
