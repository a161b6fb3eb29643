import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput, uniqueEmail } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

/** The client with a new key, or with this one. */
function keyed(key: string = randomUUID(), as = client): TestClient {
  return as.with({ 'Idempotency-Key': key });
}

async function countOf(email: string): Promise<number> {
  const { body } = await client.get(`/leads?email=${encodeURIComponent(email)}`).expect(200);
  return body.meta.total;
}

describe('an Idempotency-Key', () => {
  it('replays status, headers and body byte for byte, and nothing is done again', async () => {
    const once = keyed();
    const input = leadInput({ metadata: { z: 'last', a: '\u00e4\u2028"' }, tags: ['b', 'a'] });
    const first = await once.post('/leads', input).expect(201);
    await client.patch(`/leads/${first.body.data.id}`, { name: 'Changed meanwhile' }).expect(200);
    const second = await once.post('/leads', input).expect(201);
    expect(second.text).toBe(first.text);
    for (const name of ['location', 'etag', 'content-type', 'content-length']) {
      expect(second.headers[name]).toBe(first.headers[name]);
    }
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await countOf(input.email)).toBe(1);
  });

  it('replays a PATCH, even one whose If-Match no longer holds', async () => {
    const { id } = await createLead(client);
    const once = keyed().with({ 'If-Match': '"1"' });
    const first = await once.patch(`/leads/${id}`, { name: 'Grace' }).expect(200);
    await client.patch(`/leads/${id}`, { company: 'Later' }).expect(200);
    const second = await once.patch(`/leads/${id}`, { name: 'Grace' }).expect(200);
    expect(second.text).toBe(first.text);
    expect(second.headers.etag).toBe('"2"');
    expect((await client.get(`/leads/${id}`)).body.data).toMatchObject({ company: 'Later', version: 3 });
  });

  it('is refused for another request, be it the body, the path or the method', async () => {
    const { id } = await createLead(client);
    const other = await createLead(client);
    const once = keyed();
    await once.patch(`/leads/${id}`, { name: 'Grace' }).expect(200);
    for (const send of [
      () => once.patch(`/leads/${id}`, { name: 'Grace H.' }),
      () => once.patch(`/leads/${other.id}`, { name: 'Grace' }),
      () => once.post('/leads', leadInput()),
    ]) {
      const { body } = await send().expect(422);
      expect(body).toMatchObject({
        code: 'idempotency_key_reused',
        errors: { 'Idempotency-Key': [expect.stringMatching(/./)] },
      });
    }
    expect((await client.get(`/leads/${other.id}`)).body.data.name).toBe('Ada Lovelace');
  });

  it('creates one lead for twenty concurrent requests; nineteen wait for the first', async () => {
    const once = keyed();
    const input = leadInput();
    const answers = await Promise.all(Array.from({ length: 20 }, () => once.post('/leads', input)));
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(answer.text).toBe(answers[0]?.text);
    }
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19);
    expect(await countOf(input.email)).toBe(1);
  });

  it('makes the second request wait while the first still runs', async () => {
    const { knex } = app.production;
    const { id } = await createLead(client);
    const once = keyed();
    let answered = 0;
    const patch = () =>
      once.patch(`/leads/${id}`, { company: 'Waited' }).then((answer) => {
        answered += 1;
        return answer;
      });
    const requests: ReturnType<typeof patch>[] = [];
    await knex.transaction(async (trx) => {
      await trx('leads').where('name', 'Ada Lovelace').forUpdate();
      requests.push(patch());
      await waitForBlocked(1);
      requests.push(patch());
      await waitForBlocked(2);
      expect(answered).toBe(0);
    });
    const [first, second] = await Promise.all(requests);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(first?.headers).not.toHaveProperty('idempotency-replayed');
    expect(second?.headers['idempotency-replayed']).toBe('true');
    expect(second?.body.data.version).toBe(2);
  });

  it('is free again when the first request failed, so that it may be corrected', async () => {
    const once = keyed();
    const taken = await createLead(client);
    await once.post('/leads', leadInput({ email: taken.email })).expect(422);
    await once.post('/leads', { name: 'Ada' }).expect(422);
    await once.post('/leads', '{').expect(400);
    const { headers } = await once.post('/leads', leadInput()).expect(201);
    expect(headers).not.toHaveProperty('idempotency-replayed');
    const patching = keyed();
    const { id } = await createLead(client);
    await patching.patch(`/leads/${id}`, { name: 'X' }).set('If-Match', '"9"').expect(412);
    await patching.patch('/leads/lead_01h455vb4pex5vsknk084sn02q', { name: 'X' }).expect(404);
    await patching.patch(`/leads/${id}`, { name: 'X' }).expect(200);
  });

  it('leaves the one that waits to succeed when the first fails', async () => {
    const email = uniqueEmail();
    const once = keyed();
    const answers = await Promise.all([
      once.post('/leads', leadInput({ email, lost_reason: 'refused' })),
      once.post('/leads', leadInput({ email })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 201]);
    expect(await countOf(email)).toBe(1);
  });

  it('belongs to one client and one environment', async () => {
    const key = randomUUID();
    const [one, two, three] = await Promise.all([
      app.client(),
      app.client(),
      app.client(undefined, 'sandbox'),
    ]);
    const ids = new Set<string>();
    for (const as of [one, two, three]) {
      const { body, headers } = await keyed(key, as).post('/leads', leadInput()).expect(201);
      expect(headers).not.toHaveProperty('idempotency-replayed');
      ids.add(body.data.id);
    }
    expect(ids.size).toBe(3);
  });

  it('is free again after 24 hours and not before', async () => {
    const age = (key: string, hours: number) =>
      app.production
        .knex('idempotency_keys')
        .where({ key })
        .update({ created_at: new Date(Date.now() - hours * 3_600_000).toISOString() });
    const key = randomUUID();
    await keyed(key).post('/leads', leadInput()).expect(201);
    expect(await age(key, 23.9)).toBe(1);
    expect((await keyed(key).post('/leads', leadInput()).expect(422)).body.code).toBe(
      'idempotency_key_reused',
    );
    expect(await age(key, 24.1)).toBe(1);
    const input = leadInput();
    const { headers } = await keyed(key).post('/leads', input).expect(201);
    expect(headers).not.toHaveProperty('idempotency-replayed');
    const again = await keyed(key).post('/leads', input).expect(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  it('is ignored if it is empty', async () => {
    const input = leadInput();
    await keyed('').post('/leads', input).expect(201);
    await keyed('').post('/leads', leadInput()).expect(201);
  });

  it.each(['~', 'a b', '"quoted"', 'x'.repeat(255)])('may be any printable ASCII: %j', async (key) => {
    await keyed(key).post('/leads', leadInput()).expect(201);
  });

  it.each([
    ['longer than 255 characters', 'x'.repeat(256)],
    ['not ASCII', 'schl\u00fcssel'],
    ['a control character', 'a\tb'],
  ])('is refused when it is %s', async (_what, key) => {
    const input = leadInput();
    const { body } = await keyed(key).post('/leads', input).expect(400);
    expect(body.code).toBe('invalid_parameter');
    expect(body.errors).toHaveProperty('Idempotency-Key');
    expect(await countOf(input.email)).toBe(0);
  });

  it('means nothing to an operation that does not take one', async () => {
    const once = keyed();
    const { id } = await createLead(client);
    await once.get(`/leads/${id}`).expect(200);
    await once.delete(`/leads/${id}`).expect(204);
    await once.delete(`/leads/${id}`).expect(404);
    await once.post('/leads', leadInput()).expect(201);
  });

  it('is kept in the transaction of the write: both or neither', async () => {
    const key = randomUUID();
    const refused = leadInput({ lost_reason: 'refused' });
    await keyed(key).post('/leads', refused).expect(422);
    const again = await keyed(key).post('/leads', refused).expect(422);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
    const created = await keyed(key).post('/leads', leadInput()).expect(201);
    expect(created.headers).not.toHaveProperty('idempotency-replayed');
    expect(await countOf(refused.email)).toBe(0);
    const { body } = await keyed(key).post('/leads', refused).expect(422);
    expect(body.code).toBe('idempotency_key_reused');
  });
});

async function waitForBlocked(count: number): Promise<void> {
  const blocked = async () => {
    const { rows } = await app.production.knex.raw(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length;
  };
  await expect.poll(blocked, { timeout: 5_000, interval: 20 }).toBe(count);
}
