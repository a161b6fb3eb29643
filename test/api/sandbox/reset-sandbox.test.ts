import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { seed } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { until } from '../../support/deliveries.ts';
import { formInput, makeHook } from '../../support/hooks.ts';
import { contacts, content, leads, make, users } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(['read', 'write'], 'sandbox');
});

afterAll(() => app.close());

describe('POST /sandbox/reset', () => {
  it('deletes everything and says how much it was', async () => {
    const user = await make(client, users);
    const piece = await make(client, content, { author_user_id: user.id });
    await make(client, contacts, { assigned_user_id: user.id });
    const lead = await make(client, leads, { content_id: piece.id, assigned_user_id: user.id });
    await client.post('/notes', { lead_id: lead.id, text: 'Called back.' }).expect(201);
    await client.post(`/leads/${lead.id}/convert`, { status: 'won' }).expect(201);
    const { body } = await client.post('/sandbox/reset').expect(200);
    expect(body).toEqual({ data: { deleted: { users: 1, contacts: 2, content: 1, leads: 1 } } });
    for (const kind of ['users', 'contacts', 'content', 'leads']) {
      const listed = await client.get(`/${kind}`).expect(200);
      expect(listed.body.meta.total).toBe(0);
    }
    const report = await client.get('/analytics/time-in-status').expect(200);
    for (const row of report.body.data) expect(row).toMatchObject({ entered: 0, exited: 0, open_current: 0 });
  });

  it('keeps inbound hooks, which point at nothing any more, and deletes what came in', async () => {
    const assigned_user_id = (await make(client, users)).id;
    const content_id = (await make(client, content)).id;
    const hook = await makeHook(client, { assigned_user_id, content_id });
    const sendIn = () => client.post(`/hooks/${hook.token}`, formInput()).expect(202);
    await sendIn();
    await client.post('/sandbox/reset').expect(200);
    const { body } = await client.get(hook.path).expect(200);
    expect(body.data).toMatchObject({ assigned_user_id: null, content_id: null, version: 2 });
    await sendIn();
    const deliveries = await client.get(`${hook.path}/deliveries`).expect(200);
    expect(deliveries.body.meta.total).toBe(1);
  });

  it('may be repeated, and counts nothing then', async () => {
    await client.post('/sandbox/reset').expect(200);
    const { body } = await client.post('/sandbox/reset').expect(200);
    expect(body.data.deleted).toEqual({ users: 0, contacts: 0, content: 0, leads: 0 });
  });

  it('keeps clients, tokens and stored answers', async () => {
    const keyed = client.with({ 'Idempotency-Key': 'kept-by-reset' });
    const first = await keyed.post('/leads', { name: 'Ada', email: 'kept@example.com' }).expect(201);
    await client.post('/sandbox/reset').expect(200);
    const again = await keyed.post('/leads', { name: 'Ada', email: 'kept@example.com' }).expect(201);
    expect(again.body).toEqual(first.body);
    await client.get('/auth/me').expect(200);
  });

  it('waits for running writes, and deletes exactly what was created before it', async () => {
    await client.post('/sandbox/reset').expect(200);
    const user = await make(client, users);
    const create = async () => client.post('/leads', { ...leads.input(), assigned_user_id: user.id });
    const { knex } = app.sandbox;
    const writer = await knex.transaction();
    await writer.raw('lock table leads in row exclusive mode');
    const resetting = (async () => client.post('/sandbox/reset'))();
    const waits = knex('pg_locks')
      .where({ mode: 'AccessExclusiveLock', granted: false })
      .whereRaw('database = (select oid from pg_database where datname = current_database())');
    await until(async () => (await waits.clone().select('pid')).length > 0);
    const creating = Promise.all(Array.from({ length: 40 }, create));
    await writer.commit();
    const [reset, answers] = await Promise.all([resetting, creating]);
    expect(reset.status).toBe(200);
    const created = answers.filter(({ status }) => status === 201);
    expect(reset.body.data.deleted).toEqual({ users: 1, contacts: 0, content: 0, leads: created.length });
    // Leads that come after the reset name a user that no longer exists.
    for (const { status, body } of answers.filter((answer) => !created.includes(answer))) {
      expect(status).toBe(422);
      expect(Object.keys(body.errors)).toEqual(['assigned_user_id']);
    }
    expect((await client.get('/leads').expect(200)).body.meta.total).toBe(0);
  });

  it('frees the seeds that were used', async () => {
    for (let time = 0; time < 2; time += 1) {
      await client.post('/sandbox/reset').expect(200);
      await seed(app, client, { leads: 5 });
    }
  });

  it('is not there in production, and leaves production alone', async () => {
    const production = await app.client();
    const lead = await make(production, leads);
    await production.post('/sandbox/reset').expect(404);
    await client.post('/sandbox/reset').expect(200);
    await production.get(`/leads/${lead.id}`).expect(200);
  });
});
