/** A request past its deadline commits nothing, because its client already got a 503. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createLead } from '../../support/factories.ts';
import { watchQueries } from '../../support/queries.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  app = await startTestApp();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await app.close();
});

it('a batch that waits for its Idempotency-Key and then works on until its time is over changes nothing', async () => {
  const client = await app.client();
  const { body: me } = await client.get('/auth/me').expect(200);
  const lead = await createLead(client);
  const key = randomUUID();
  // Not from the service's pool, which would take the connection for dead when the clock jumps.
  const first = await app.production.knex.transaction();
  const claim = {
    client_id: uuidOf(me.data.client_id),
    key,
    request_hash: Buffer.alloc(32),
    operation: 'createLead',
  };
  await first('idempotency_keys').insert(claim);
  const queries = watchQueries(app);
  // The first transaction of the batch waits for the key.
  // The second gets it, and keeps to the limit of a single transaction.
  queries.before('insert into "idempotency_keys"', async () => {
    ahead += 6_000;
    queries.before('insert into "idempotency_keys"', async () => {
      await first.rollback();
      queries.before('update "leads"', async () => {
        ahead += 9_000;
      });
    });
  });
  const body = { items: [{ id: lead.id, patch: { company: 'Late' } }] };
  const once = client.with({ 'Idempotency-Key': key });
  const answer = await once.post('/leads/batch/update', body).expect(503);
  expect(answer.body.code).toBe('unavailable');
  expect(ahead).toBe(15_000);
  expect((await client.get(`/leads/${lead.id}`).expect(200)).body.data).toMatchObject({ version: 1 });
  const again = await once.post('/leads/batch/update', body).expect(200);
  expect(again.headers).not.toHaveProperty('idempotency-replayed');
  expect(again.body.meta).toMatchObject({ updated: 1 });
});
