import { describe, expect, it } from 'vitest';
import { expectListLimits, useBatches } from '../../support/batches.ts';
import { leads, make } from '../../support/resources.ts';

const subject = useBatches(leads);

describe('POST /leads/batch/delete', () => {
  it('deletes each that exists', async () => {
    const { client, batch } = subject;
    const [a, b] = [await make(client, leads), await make(client, leads)];
    const unknown = 'lead_01m7w4n5e0e3tajy9kep34bze2';
    const { data } = await batch('delete', { ids: [a.id, unknown, 'x', b.id, a.id] });
    expect(data).toEqual([
      { index: 0, status: 'deleted', id: a.id },
      { index: 1, status: 'not_found', id: unknown },
      { index: 2, status: 'not_found', id: 'x' },
      { index: 3, status: 'deleted', id: b.id },
      { index: 4, status: 'not_found', id: a.id },
    ]);
    for (const { id } of [a, b]) {
      await client.get(`/leads/${id}`).expect(404);
      expect(await subject.typesOf(id)).toEqual(['lead.created', 'lead.deleted']);
    }
    expect(await subject.statuses('delete', { ids: [a.id] })).toEqual(['not_found']);
  });

  it('with atomic, deletes all or nothing', async () => {
    const { client } = subject;
    const { id } = await make(client, leads);
    const send = (ids: string[]) => client.post('/leads/batch/delete', { atomic: true, ids });
    const { body } = await send([id, 'x', id]).expect(422);
    expect(body.errors).toEqual({ 'ids.1': ['ids.1 does not exist.'], 'ids.2': ['ids.2 does not exist.'] });
    await client.get(`/leads/${id}`).expect(200);
    await send([id]).expect(200);
    await client.get(`/leads/${id}`).expect(404);
  });

  it('takes a list of 1 to 1,000, and no unknown fields', () => expectListLimits(subject, 'delete', 'ids'));
});
