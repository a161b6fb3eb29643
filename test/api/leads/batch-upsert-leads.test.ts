import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectListLimits, useBatches } from '../../support/batches.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { leads, make } from '../../support/resources.ts';

const subject = useBatches(leads);

describe('POST /leads/batch/upsert', () => {
  it.each(['email', 'external_id'] as const)(
    'finds by %s: updates what exists, creates the rest',
    async (match) => {
      const { client, batch } = subject;
      const keys = Array.from({ length: 3 }, () => (match === 'email' ? uniqueEmail() : randomUUID()));
      const more = () => (match === 'email' ? {} : { email: uniqueEmail() });
      const metadata = { plan: 'gold', seats: '5' };
      const { id } = await make(client, leads, { [match]: keys[0], company: 'Engines', metadata });
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
          lead: { company: null, metadata: { seats: '5', city: 'London' }, version: 2 },
        },
        { status: 'created', lead: { name: 'New', metadata: { plan: 'gold' }, version: 1 } },
        { status: 'updated', id: data[1]?.id, lead: { name: 'Newer', version: 2 } },
        { status: 'unchanged', id: data[1]?.id, lead: { name: 'Newer', version: 2 } },
        { status: 'failed', errors: { name: ['name is required.'] } },
        { status: 'failed', errors: { [match]: [`${match} is required.`] } },
        { status: 'failed', errors: { name: ['name must be a string.'] } },
      ]);
      expect(await subject.typesOf(id)).toEqual(['lead.created', 'lead.updated']);
      expect(await subject.typesOf(data[1]?.id ?? '')).toEqual(['lead.created', 'lead.updated']);
    },
  );

  it('finds an email whatever its case, and writes it as it was sent', async () => {
    const { client, batch } = subject;
    const email = uniqueEmail();
    const { id } = await make(client, leads, { email });
    const items = [{ email: email.toUpperCase() }];
    const { data } = await batch('upsert', { match: 'email', items });
    expect(data).toMatchObject([{ status: 'updated', id, lead: { email: email.toUpperCase() } }]);
  });

  it('rejects a unique value that another one has', async () => {
    const { client, batch } = subject;
    const other = await make(client, leads, { external_id: randomUUID() });
    const email = uniqueEmail();
    const items = [{ email, name: 'Ada', external_id: other.external_id }];
    const { data } = await batch('upsert', { match: 'email', items });
    expect(data).toMatchObject([{ code: 'duplicate_external_id', existing_id: other.id }]);
  });

  it('with atomic, writes all or nothing', async () => {
    const { client } = subject;
    const external_id = randomUUID();
    const items = [{ external_id, name: 'Ada', email: uniqueEmail() }, { external_id: randomUUID() }];
    const send = (body: object) =>
      client.post('/leads/batch/upsert', { match: 'external_id', atomic: true, ...body });
    const { body } = await send({ items }).expect(422);
    expect(body.errors).toMatchObject({ 'items.1.name': ['items.1.name is required.'] });
    expect((await client.get(`/leads?external_id=${external_id}`)).body.data).toEqual([]);
    await send({ items: items.slice(0, 1) }).expect(200);
  });

  it('rejects another field to match by', async () => {
    const { body } = await subject.client
      .post('/leads/batch/upsert', { match: 'phone', items: [{}] })
      .expect(422);
    expect(body.errors).toEqual({ match: ['match must be email or external_id.'] });
  });

  it('takes a list of 1 to 1,000, and no unknown fields', () =>
    expectListLimits(subject, 'upsert', 'items', { match: 'email' }));
});
