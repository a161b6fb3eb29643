/** How PostgreSQL plans for new tables that fill up before it has analyzed them. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

it('a session that adds the first leads never reads all of them', async () => {
  // A session keeps the plan of a foreign key that it made for its first rows.
  for (let count = 0; count < 100; count += 1)
    await client.query(`
      with lead as (
        insert into leads (id, name, email, status, source)
        values (new_uuid(), 'Ada', '${count}@example.com', 'new', 'api') returning *
      )
      insert into lead_status_changes (lead_id, to_status, changed_at, sales_cycle_id, actor_type, request_id)
      select id, status, status_changed_at, sales_cycle_id, 'system', 'req' from lead`);
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query(
    `select seq_tup_read::int from pg_stat_user_tables where relname = 'leads'`,
  );
  expect(rows).toEqual([{ seq_tup_read: 0 }]);
});
