import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectListLimits, useBatches } from '../../support/batches.ts';
import { leads, make } from '../../support/resources.ts';

const subject = useBatches(leads);

describe('POST /leads/batch/read', () => {
  it('finds by ids, emails or external ids, in order', async () => {
    const { client, batch } = subject;
    const a = await make(client, leads, { external_id: randomUUID() });
    const b = await make(client, leads, { external_id: randomUUID() });
    const shown = async ({ id }: { id: string }) => ({
      status: 'found',
      id,
      lead: (await client.get(`/leads/${id}`).expect(200)).body.data,
    });
    const expected = [await shown(b), { status: 'not_found' }, await shown(a), await shown(b)];
    const results = expected.map((result, index) => ({ index, ...result }));
    const unknown = 'lead_01m7w4n5e0e3tajy9kep34bze2';
    expect((await batch('read', { ids: [b.id, unknown, a.id, b.id] })).data).toEqual(results);
    expect((await batch('read', { ids: [b.id, 'x', a.id, b.id] })).data).toEqual(results);
    const emails = [b.email, 'x', `${a.email}`.toUpperCase(), b.email];
    expect((await batch('read', { emails })).data).toEqual(results);
    const external_ids = [b.external_id, 'x', a.external_id, b.external_id];
    expect((await batch('read', { external_ids })).data).toEqual(results);
  });

  it('needs the scope to read, and exactly one way to find', async () => {
    const { app, client } = subject;
    const path = '/leads/batch/read';
    const reader = await app.client(['leads:read']);
    await reader.post(path, { ids: ['x'] }).expect(200);
    const writer = await app.client(['leads:write']);
    await writer.post(path, { ids: ['x'] }).expect(403);
    const { body } = await client.post(path, { ids: ['x'], emails: ['x'] }).expect(422);
    expect(body.errors).toEqual({ body: ['body must have at most 1 key.'] });
    await client.post(path, {}).expect(422);
  });

  it('takes a list of 1 to 1,000, and no unknown fields', () => expectListLimits(subject, 'read', 'ids'));
});
