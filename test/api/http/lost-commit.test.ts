/** The connection to PostgreSQL breaks after a COMMIT, and before its answer. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { type Network, startNetwork } from '../../support/network.ts';

let network: Network;
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  network = await startNetwork(inject('serverUrl'));
  app = await startTestApp({ network });
  client = await app.client();
});

afterAll(async () => {
  await app.close();
  await network.close();
});

const unknown = { code: 'outcome_unknown', message: expect.stringContaining('may have been saved') };

it('a client whose change was saved is not told otherwise', async () => {
  const { id } = await createLead(client);
  network.loseCommit();
  const { body, headers } = await client.patch(`/leads/${id}`, { company: 'Saved' }).expect(503);
  expect(body).toMatchObject(unknown);
  expect(headers['retry-after']).toBe('2');
  expect((await client.get(`/leads/${id}`).expect(200)).body.data.company).toBe('Saved');
});

it('the same Idempotency-Key gets the stored answer', async () => {
  const keyed = client.with({ 'Idempotency-Key': randomUUID() });
  const lead = leadInput();
  network.loseCommit();
  expect((await keyed.post('/leads', lead).expect(503)).body).toMatchObject(unknown);
  const { body, headers } = await keyed.post('/leads', lead).expect(201);
  expect(headers['idempotency-replayed']).toBe('true');
  const { body: list } = await client.get(`/leads?email=${lead.email}`).expect(200);
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual([body.data.id]);
});

it('a change whose connection is lost before its COMMIT is not saved, and its client is told so', async () => {
  const { id } = await createLead(client, { company: 'Before' });
  const { knex } = app.production;
  const trx = await knex.transaction();
  await trx.raw('lock table leads');
  const answered = client.patch(`/leads/${id}`, { company: 'After' }).then((answer) => answer);
  await expect
    .poll(async () => {
      const { rows } = await knex.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length;
    })
    .toBe(1);
  const { status, body } = await answered;
  await trx.rollback();
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect((await client.get(`/leads/${id}`).expect(200)).body.data.company).toBe('Before');
});
