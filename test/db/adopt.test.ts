/** Databases of versions before 1.0.0, which the baseline adopts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { relabel } from '../../src/db/label.ts';
import { findNames, isBaseline, migrate } from '../../src/db/migrate.ts';
import { findDrift } from '../../src/leads/counter-queries.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { readSchema } from '../support/schema.ts';

const dump = readFileSync(join(import.meta.dirname, 'unpublished.sql'), 'utf8');

interface TestDatabase {
  url: string;
  /** Unlike the Knex that migrates, it holds no lock. */
  knex: Knex;
}

const closers: (() => Promise<void>)[] = [];

afterAll(() => Promise.all(closers.map((close) => close())));

async function newDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createEmptyDatabase();
  const knex = createKnex({ client: 'pg', connection: url });
  closers.push(async () => {
    await knex.destroy();
    await drop();
  });
  return { url, knex };
}

async function unpublishedDatabase(): Promise<TestDatabase> {
  const database = await newDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(dump);
  await client.end();
  // As lead-pipeline data label does.
  const db = new Database(database.url, 1);
  await relabel(db, 'production');
  await db.close();
  return database;
}

const migrationsOf = (knex: Knex): Promise<string[]> => knex('knex_migrations').orderBy('id').pluck('name');

type Row = Record<string, unknown>;

/** The rows of every table. */
async function readRows(knex: Knex): Promise<Record<string, Row[]>> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'knex_migrations%' order by 1`,
  );
  const tables: Record<string, Row[]> = {};
  for (const { name } of rows) {
    const found = await knex.raw(`select row_to_json(t) as row from ${name} as t`);
    tables[name] = found.rows.map(({ row }: { row: Row }) => row);
  }
  return tables;
}

/**
 * The columns that the database had `before`, as text. Without the counters, which migrations rewrite, and the
 * fields that are added to events.
 */
function comparable(rows: Record<string, Row[]>, before: Record<string, Row[]>): Record<string, string[]> {
  const isCounter = /^lead_(counter|count|sum|tag_count)(s|_)|^inbound_storage/;
  const added =
    /,"(value|expected_close_on|source_detail|author_name|external_id|user_id)":null(?=[,}])|,"metadata":\{\}(?=\})/g;
  return Object.fromEntries(
    Object.entries(before)
      .filter(([table]) => !isCounter.test(table))
      .map(([table, [first = {}]]) => {
        const asText = (row: Row) =>
          JSON.stringify(Object.keys(first).map((column) => row[column])).replace(added, '');
        return [table, (rows[table] ?? []).map(asText).sort()];
      }),
  );
}

describe('a database with all migrations of a version before 1.0.0', () => {
  let database: TestDatabase;
  let knex: Knex;

  beforeAll(async () => {
    database = await unpublishedDatabase();
    knex = database.knex;
  });

  it('keeps its rows', async () => {
    const before = await readRows(knex);
    expect(Object.values(before).flat().length).toBeGreaterThan(70);
    expect(await migrate(database.url, 'production')).toEqual(
      (await findNames()).filter((name) => !isBaseline(name)),
    );
    expect(comparable(await readRows(knex), before)).toEqual(comparable(before, before));
  });

  it('adds the fields that were missing in events of leads', async () => {
    const { rows } = await knex.raw<{ rows: { object: object }[] }>(
      "select object from events where type like 'lead.%' and type <> 'lead.deleted'",
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { object } of rows)
      expect(Object.keys(object)).toEqual(
        expect.arrayContaining(['value', 'expected_close_on', 'source_detail']),
      );
    expect(rows.filter(({ object }) => 'value' in object && object.value !== null)).not.toEqual([]);
  });

  it('adds the fields that were missing in events of notes', async () => {
    const { rows } = await knex.raw<{ rows: { object: { author: object } }[] }>(
      "select object from events where type in ('note.created', 'note.updated')",
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { object } of rows) {
      expect(object).toMatchObject({ author_name: null, external_id: null, author: { user_id: null } });
    }
  });

  it('recounts its leads', async () => {
    const db = new Database(database.url, 1);
    expect(await db.transaction((trx) => findDrift(trx, 10))).toEqual([]);
    await db.close();
    const { rows } = await knex.raw(
      "select sum(total)::int as total from lead_counters where kind = 'day' and key = 'all'",
    );
    const leads = await knex('leads').count();
    expect(rows[0].total).toBe(Number(leads[0]?.count));
    expect(rows[0].total).toBeGreaterThan(0);
  });

  it('records the migrations of the baseline', async () => {
    expect(await migrationsOf(knex)).toEqual(await findNames());
  });

  it('has the same schema as a new database', async () => {
    const fresh = await newDatabase();
    await migrate(fresh.url, 'production');
    const adopted = await readSchema(knex);
    expect(adopted).toEqual(await readSchema(fresh.knex));
  });

  it('is not changed by the next start', async () => {
    const before = await knex('knex_migrations').orderBy('id');
    expect(await migrate(database.url, 'production')).toEqual([]);
    expect(await knex('knex_migrations').orderBy('id')).toEqual(before);
  });
});

describe('a database of a version before 1.0.0', () => {
  it.each([
    ['lacks one of its migrations', "delete from knex_migrations where name like '%_notes.ts'", 42],
    ['has one of another branch', "insert into knex_migrations (name) values ('20261125000900_else.ts')", 43],
  ])('is refused and left as it is if it %s', async (_, change, count) => {
    const { url, knex } = await unpublishedDatabase();
    await knex.raw(change);
    const before = [await readSchema(knex), await migrationsOf(knex)];
    await expect(migrate(url, 'production')).rejects.toThrow(
      `made by a version before 1.0.0, and has ${count} of its 43 migrations. Run npm run migrate with commit e9c69b8 first`,
    );
    expect([await readSchema(knex), await migrationsOf(knex)]).toEqual(before);
  });
});
