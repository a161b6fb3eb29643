/** What a client is told while the database rejects requests. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';

let app: TestApp;
/** A second process, whose requests hold their connections for as long as they wait for a lock. */
let patient: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  patient = await startTestApp({ beside: app, waitsForLocks: true });
  client = await app.client();
});

afterAll(async () => {
  await patient.close();
  await app.close();
});

const CONCURRENT =
  'Other requests changed the same data at the same time, so this one was rolled back. Send it again.';
const UNREACHABLE = 'The service cannot reach its database at the moment. Try again shortly.';

/** Has PostgreSQL end each insert of a lead with this error. */
async function failInserts(sqlState: string): Promise<() => Promise<unknown>> {
  const { knex } = app.production;
  await knex.raw(
    `create function fail() returns trigger language plpgsql as
       $$ begin raise exception 'Failed.' using errcode = '${sqlState}'; end $$;
     create trigger fail before insert on leads execute function fail()`,
  );
  return () => knex.raw('drop trigger fail on leads; drop function fail()');
}

const create = () => client.post('/leads', { name: 'Ada', email: uniqueEmail() });

describe('a 503 is true', () => {
  it.each([
    ['a deadlock', '40P01', CONCURRENT],
    ['a serialization failure', '40001', CONCURRENT],
    [
      'a standby',
      '25006',
      'The database server accepts no writes at the moment, as during a failover. Try again shortly.',
    ],
    ['a full disk', '53100', 'The database is out of connections, memory or disk space. Try again shortly.'],
    ['a lock', '55P03', 'Another request is still changing the same data. Try again shortly.'],
    ['a server that stops', '57P01', UNREACHABLE],
    [
      'a time limit',
      '57014',
      'The request kept the database busy for too long and was rolled back. Try again shortly.',
    ],
  ])('of %s', async (_what, sqlState, message) => {
    const restore = await failInserts(sqlState);
    const { body, headers } = await create().expect(503);
    await restore();
    expect(body).toEqual({ code: 'unavailable', message, request_id: headers['x-request-id'] });
    expect(headers['retry-after']).toBe('2');
    await create().expect(201);
  });

  it.each(['read', 'write'])('of a %s that an operator of PostgreSQL cancels', async (kind) => {
    const { id } = await createLead(client);
    const { knex } = app.production;
    const trx = await knex.transaction();
    await trx.raw('lock table leads');
    const request = kind === 'read' ? client.get('/leads') : client.patch(`/leads/${id}`, { company: 'X' });
    const answered = request.then((answer) => answer);
    await vi.waitFor(async () => {
      const { rows } = await knex.raw(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query ~ 'leads'`,
      );
      expect(rows.length).toBeGreaterThan(0);
    }, 2_500);
    const { status, body } = await answered;
    await trx.rollback();
    expect([status, body.code, body.message]).toEqual([
      503,
      'unavailable',
      'Somebody canceled the query in the database. Try again shortly.',
    ]);
  });

  it('of connections that are all in use', async () => {
    const { knex } = app.production;
    const trx = await knex.transaction();
    await trx.raw('lock table leads');
    const url = `${patient.url}/v1`;
    // Each client gets a third of the connections, rounded up.
    const clients = [client, await app.client(), await app.client()];
    const requests = Array.from({ length: 12 }, (_, index) =>
      (clients[index % 3] as TestClient)
        .at(url)
        .get('/leads')
        .then((answer) => answer),
    );
    const { status, body } = await Promise.race(requests);
    await trx.rollback();
    expect([status, body.code, body.message]).toEqual([
      503,
      'unavailable',
      "All of the service's connections to its database are in use. Try again shortly.",
    ]);
    await Promise.all(requests);
  });
});
