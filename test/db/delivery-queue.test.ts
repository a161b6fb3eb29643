/** What waits in a database whose queue was pg-boss. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { takeDue } from '../../src/deliveries/queries.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { addWebhook } from '../support/deliveries.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
});

afterAll(() => database.drop());

async function migrateTo(version: string): Promise<void> {
  while ((await knex.migrate.currentVersion()) !== version) await knex.migrate.up();
}

it('still waits, and the tables of pg-boss are gone', async () => {
  await migrateTo('20261121000730');
  const db = new Database(database.url, 1);
  const webhook = await addWebhook(db, randomBytes(32), 'https://example.com');
  await knex.raw(
    `insert into webhook_deliveries (webhook_id, event_id, event_type, resource_id, status, attempt_count, next_attempt_at)
      select ?, new_uuid(), 'lead.created', new_uuid(), status, attempt_count, now() + wait
      from (values
        ('pending', 3, interval '-1 hour'), ('pending', 0, interval '0'), ('pending', 1, interval '1 hour'), ('failed', 10, null)
      ) as delivery (status, attempt_count, wait)`,
    [webhook],
  );
  await knex.raw('create schema pgboss; create table pgboss.job (id uuid)');
  await knex.migrate.latest();
  const taken = await takeDue(db, { perWebhook: 10, ofBusyWebhooks: new Map(), total: 10 });
  await db.close();
  expect(taken.map(({ attempt_count }) => attempt_count).toSorted()).toEqual([0, 3]);
  const { rows } = await knex.raw("select to_regnamespace('pgboss') as schema");
  expect(rows).toEqual([{ schema: null }]);
});
