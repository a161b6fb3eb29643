import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ObserveDeletion, startHousekeeping } from '../../src/process/housekeeping.ts';
import { oldData } from '../../src/process/old-data.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { until } from '../support/deliveries.ts';
import { make } from '../support/resources.ts';
import { webhooks } from '../support/webhooks.ts';

let app: TestApp;
let end: () => void;
let log: string[];

beforeEach(async () => {
  app = await startTestApp();
  log = [];
  end = () => {};
});

afterEach(async () => {
  end();
  await app.close();
});

function start(observe?: ObserveDeletion): void {
  end = startHousekeeping(app.production, pino({ base: null }, { write: (line) => log.push(line) }), observe);
}

/** Starts, and waits until each deletion has run. */
async function runAll(): Promise<void> {
  const ran = new Set<string>();
  start((_environment, kind) => ran.add(kind));
  await until(() => oldData.every(({ kind }) => ran.has(kind)) && ran.has('deliveries_of_deleted_webhooks'));
  await until(() => ran.has('inbound_deliveries_of_deleted_hooks'));
}

/** How to insert `count` rows that housekeeping deletes, by table. */
const due = {
  idempotency_keys: `insert into idempotency_keys (client_id, key, request_hash, operation, created_at)
    select id, n::text, '', 'createLead', now() - interval '25 hours' from api_clients, generate_series(1, ?) n`,
  revoked_tokens: `insert into revoked_tokens (jti, expires_at)
    select n::text, now() - interval '25 hours' from generate_series(1, ?) n`,
  audit_log: `insert into audit_log (id, created_at, action, actor_type)
    select new_uuid(), now() - interval '366 days', 'client.created', 'operator' from generate_series(1, ?) n`,
  erasures: `insert into erasures (id, created_at, actor_type, request_id, counts, former, receivers)
    select new_uuid(), now() - interval '1097 days', 'client', 'test', '{}', '{}', '[]' from generate_series(1, ?) n`,
  webhook_deliveries: `insert into webhook_deliveries (id, webhook_id, event_id, event_type, resource_id)
    select new_uuid(now() - interval '31 days'), id, new_uuid(), 'lead.created', new_uuid()
    from webhooks, generate_series(1, ?) n`,
  'webhook_deliveries of no webhook': `insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id)
    select new_uuid(), new_uuid(), 'lead.created', new_uuid() from generate_series(1, ?) n`,
  inbound_deliveries: `insert into inbound_deliveries (id, hook_id, status)
    select new_uuid(now() - interval '31 days'), id, 'created' from inbound_hooks, generate_series(1, ?) n`,
  'inbound_deliveries of no hook': `insert into inbound_deliveries (id, hook_id, status)
    select new_uuid(), new_uuid(), 'created' from generate_series(1, ?) n`,
  events: `insert into events (id, type, request_id, actor_type, resource_id, object)
    select new_uuid(now() - interval '91 days'), 'webhook.test', 'test', 'system', new_uuid(), '{}'
    from generate_series(1, ?) n`,
};

const tables = [...new Set(Object.keys(due).map((name) => name.split(' ')[0] ?? ''))];

async function addDue(count: number): Promise<void> {
  const client = await app.client();
  await make(client, webhooks);
  await client.post('/inbound-hooks', { name: 'Form' }).expect(201);
  // The client's creation is logged.
  await app.production.knex('audit_log').delete();
  for (const sql of Object.values(due)) await app.production.knex.raw(sql, [count]);
}

async function left(table: string): Promise<number> {
  const { rows } = await app.production.knex.raw('select count(*)::int as count from ??', [table]);
  return rows[0].count;
}

describe('housekeeping', () => {
  it('deletes everything that is due, in as many batches as it takes', async () => {
    await addDue(2_500);
    start();
    for (const table of tables) await until(async () => (await left(table)) === 0, 60);
    expect(log.filter((line) => !line.includes('"level":30'))).toEqual([]);
  });

  it('logs one line for each kind of data that it has deleted, and counts the rows', async () => {
    await addDue(2_500);
    const counts = new Map<string, number>();
    start((environment, kind, count) => {
      expect(environment).toBe('production');
      counts.set(kind, (counts.get(kind) ?? 0) + count);
    });
    for (const table of tables) await until(async () => (await left(table)) === 0, 60);
    const kinds = [
      ...tables,
      'deliveries_of_deleted_webhooks',
      'inbound_deliveries_of_deleted_hooks',
    ].toSorted();
    await until(() => log.length === kinds.length);
    const lines = log.map((line) => JSON.parse(line)).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    expect(lines).toEqual(
      kinds.map((kind) => ({
        level: 30,
        time: expect.any(Number),
        environment: 'production',
        kind,
        deleted: 2_500,
        msg: 'Deleted old data.',
      })),
    );
    for (const kind of kinds) expect(counts.get(kind)).toBe(2_500);
  });

  it('deletes nothing that is old only by a clock that has jumped, but what is surplus; and says so once', async () => {
    await addDue(1);
    // As if the database's clock were 100 days later than at the last run.
    await app.production.knex.raw(`update retention_clock set reached = reached - interval '100 days'`);
    await runAll();
    for (const table of tables) expect([table, await left(table)]).toEqual([table, 1]);
    const [error, ...others] = log.map((line) => JSON.parse(line)).filter(({ level }) => level > 30);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ level: 50, environment: 'production' });
    expect(error.msg).toMatch(
      /^Old data is not deleted: the database's clock is 100 days later .+ for another 1 day\. Or run lead-pipeline retention release\.$/,
    );
  });

  it('ends the effect of an idempotency key in time, although its deletion waits', async () => {
    const client = (await app.client()).with({ 'Idempotency-Key': 'waits' });
    const first = await client.post('/contacts', { name: 'Ada' }).expect(201);
    await app.production.knex.raw(`update retention_clock set reached = reached - interval '100 days'`);
    await app.production.knex.raw(
      `update idempotency_keys set created_at = created_at - interval '25 hours'`,
    );
    await runAll();
    expect(await left('idempotency_keys')).toBe(1);
    const second = await client.post('/contacts', { name: 'Ada' }).expect(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it('keeps a revocation for a day longer than its token, as the clock of a process may be behind', async () => {
    await addDue(1);
    await app.production.knex.raw(
      `insert into revoked_tokens (jti, expires_at) values ('kept', now() - interval '23 hours')`,
    );
    start();
    for (const table of tables) {
      await until(async () => (await left(table)) === (table === 'revoked_tokens' ? 1 : 0));
    }
    expect(await app.production.knex('revoked_tokens').pluck('jti')).toEqual(['kept']);
  });

  it.each(tables)('runs the other tasks while %s is locked', async (held) => {
    await addDue(1);
    await app.production.knex.transaction(async (trx) => {
      await trx.raw('lock table ?? in access exclusive mode', [held]);
      start();
      for (const table of tables) if (table !== held) await until(async () => (await left(table)) === 0, 10);
    });
  });

  it('logs a failing task once, and does the others', async () => {
    await addDue(1);
    const { knex } = app.production;
    await knex.raw(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'not now'; end $$`);
    await knex.raw(
      'create trigger refuse before delete on idempotency_keys for each row execute function refuse()',
    );
    start();
    for (const table of tables.slice(1)) await until(async () => (await left(table)) === 0);
    const failures = () => log.filter((line) => !line.includes('"level":30'));
    await until(() => failures().length === 1);
    expect(failures()[0]).toContain('Expired idempotency keys could not be deleted.');
    expect(await left('idempotency_keys')).toBe(1);
  });
});
