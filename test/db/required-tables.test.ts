import { afterAll, beforeAll, expect, it } from 'vitest';
import { requiredTables } from '../../src/db/required-tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { query } from '../support/embedded.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it('readiness requires all tables that the migrations make', async () => {
  const rows = await query(
    database.url,
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname !~ '^knex_migrations'`,
  );
  const made = rows.map(({ name }) => name).filter((name) => name !== 'database_label');
  expect([...requiredTables].sort()).toEqual(made.sort());
});
