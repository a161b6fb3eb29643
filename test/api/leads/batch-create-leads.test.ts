import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectListLimits, useBatches } from '../../support/batches.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { leads, make } from '../../support/resources.ts';

const subject = useBatches(leads);

describe('POST /leads/batch/create', () => {
  it('creates the valid items, and describes what is wrong with the others', async () => {
    const { client, batch } = subject;
    const email = uniqueEmail();
    const other = await make(client, leads);
    const { data } = await batch('create', {
      items: [
        { ...leads.input('First'), email, tags: ['a', 'a'], metadata: { plan: 'gold' } },
        { ...leads.input('Second'), email: email.toUpperCase() },
        { ...leads.input(), email: other.email },
        { name: 3, email: 'nobody', nonsense: 1 },
        7,
        { ...leads.input(), name: 'NUL \0' },
        { ...leads.input(), '\0': 'x' },
        { ...leads.input(), assigned_user_id: 'user_01m7w4n5e0eymtkc82hvhg0xb9' },
        leads.input('Last'),
      ],
    });
    const used = { email: ['email is already used by another lead.'] };
    const failed = (errors: object, code = 'validation_failed') => ({ status: 'failed', code, errors });
    expect(data).toMatchObject([
      {
        status: 'created',
        lead: { name: 'First', tags: ['a'], metadata: { plan: 'gold' }, version: 1 },
      },
      { ...failed(used, 'duplicate_email'), existing_id: data[0]?.id },
      { ...failed(used, 'duplicate_email'), existing_id: other.id },
      failed({
        name: ['name must be a string.'],
        email: ['email must be an email address.'],
        nonsense: [expect.stringMatching(/unknown/)],
      }),
      failed({ body: ['body must be a JSON object.'] }),
      failed({ name: ['name must not contain the character NUL (U+0000).'] }),
      failed({ body: ['body has an invalid key: it must not contain the character NUL (U+0000).'] }),
      failed({ assigned_user_id: ['assigned_user_id must be the id of an active user.'] }),
      { status: 'created', lead: { name: 'Last' } },
    ]);
    for (const at of [0, 8]) {
      const { id } = data[at] as { id: string };
      const { body } = await client.get(`/leads/${id}`).expect(200);
      expect(data[at]).toEqual({ index: at, status: 'created', id, lead: body.data });
      expect(await subject.typesOf(id)).toEqual(['lead.created']);
    }
  });

  it('returns for each item what a single request would get', async () => {
    const { client, batch } = subject;
    const item = { ...leads.input(), phone: '0049', tags: ['', 7], metadata: { plan: 'x'.repeat(501) } };
    const { body } = await client.post('/leads', item).expect(422);
    const { data } = await batch('create', { items: [item] });
    const { request_id: _, ...error } = body;
    expect(data).toEqual([{ index: 0, status: 'failed', ...error }]);
  });

  it('names the owner of an email also to a client that may not read', async () => {
    const { app, client } = subject;
    const { id, email } = await make(client, leads);
    const writer = await app.client([`${'/leads'.slice(1)}:write`]);
    const { body } = await writer
      .post('/leads/batch/create', { items: [{ ...leads.input(), email }] })
      .expect(200);
    expect(body.data[0]).toMatchObject({ code: 'duplicate_email', existing_id: id });
  });

  it('with atomic, creates all or nothing', async () => {
    const { client, total } = subject;
    const before = await total();
    const items = [leads.input(), 7, { ...leads.input(), email: 'nobody' }, leads.input()];
    const { body } = await client.post('/leads/batch/create', { atomic: true, items }).expect(422);
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: {
        'items.1': ['items.1 must be a JSON object.'],
        'items.2.email': ['items.2.email must be an email address.'],
      },
    });
    expect(await total()).toBe(before);
    expect(await subject.statuses('create', { atomic: true, items: [items[0], items[3]] })).toEqual([
      'created',
      'created',
    ]);
    expect(await total()).toBe(before + 2);
  });

  it('creates nothing more when it is repeated with its Idempotency-Key', async () => {
    const { client, total } = subject;
    const once = client.with({ 'Idempotency-Key': randomUUID() });
    const body = { items: [leads.input(), {}] };
    const first = await once.post('/leads/batch/create', body).expect(200);
    const before = await total();
    const second = await once.post('/leads/batch/create', body).expect(200);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(await total()).toBe(before);
  });

  it('has its own rate limit', async () => {
    const { client } = subject;
    const { headers } = await client.post('/leads/batch/create', { items: [{}] }).expect(200);
    expect(headers['ratelimit-policy']).toMatch(/^"batch"; /);
  });

  it('takes a list of 1 to 1,000, and no unknown fields', () => expectListLimits(subject, 'create', 'items'));
});
