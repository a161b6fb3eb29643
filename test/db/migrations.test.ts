import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findNames, loadMigration } from '../../src/db/migration-settings.ts';
import { isBaseline } from '../../src/db/releases.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { readSchema, readTexts } from '../support/schema.ts';

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../src/db/migrations', name), 'utf8');

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
  await knex.migrate.latest();
});

afterAll(() => database.drop());

/** The kinds of objects that are different after a migration and its way back. */
async function findRest(db: Knex, { up, down }: Knex.Migration): Promise<string[]> {
  const before = await readSchema(db);
  await up(db);
  await down?.(db);
  const after = await readSchema(db);
  return (Object.keys(before) as (keyof typeof before)[]).filter(
    (kind) => !isDeepStrictEqual(before[kind], after[kind]),
  );
}

describe('The migrations of the baseline', () => {
  it('describe the schema, correct nothing, and have no way back', async () => {
    const baseline = (await findNames()).filter(isBaseline);
    expect(baseline.length).toBeLessThanOrEqual(15);
    const corrections = /function down|^ +(alter table|drop|create or replace) |-- contract:/m;
    expect(baseline.filter((name) => corrections.test(read(name)))).toEqual([]);
    await expect(knex.migrate.down()).rejects.toThrow(/^Knex rolls nothing back/);
  });
});

describe('Later migrations', () => {
  it('have a way back that leaves nothing behind', async () => {
    const later = (await findNames()).filter((name) => !isBaseline(name));
    for (const name of later.toReversed()) await (await loadMigration(name)).down?.(knex);
    for (const name of later) {
      const migration = await loadMigration(name);
      expect([name, await findRest(knex, migration)]).toEqual([name, []]);
      await migration.up(knex);
    }
  });

  it.each([
    ['drop table scores; alter table leads drop column score', []],
    ['drop table scores; alter table leads rename column score to rating', ['columns']],
    ['alter table leads drop column score', ['columns', 'tables']],
  ])('leave behind after %s: %j', async (back, rest) => {
    const run = (sql: string) => (db: Knex) => db.raw(sql);
    const up = run('create table scores (score integer); alter table leads add column score integer');
    const transaction = await knex.transaction();
    const found = await findRest(transaction, { up, down: run(back) });
    await transaction.rollback();
    expect(found).toEqual(rest);
  });
});

describe('All migrations', () => {
  it('name every constraint and index themselves', async () => {
    const source = (await findNames()).map(read).join('\n');
    // A partition's are PostgreSQL's own, derived from those of the whole.
    const names = await readTexts(
      knex,
      `
      select conname::text from pg_constraint join pg_class on pg_class.oid = conrelid
      where connamespace = 'public'::regnamespace and contype <> 'n' and relname not like 'knex%'
        and not relispartition
      union select indexname::text from pg_indexes join pg_class on relname = tablename
      where schemaname = 'public' and tablename not like 'knex%' and not relispartition`,
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([]);
    expect(names.filter((name) => !/_(pkey|key|fkey|check|idx)$/.test(name))).toEqual([]);
  });

  it('keep every time in milliseconds, so that shown and compared values are equal', async () => {
    const moments = await readTexts(
      knex,
      `
      select concat_ws(' ', table_name, column_name, datetime_precision) from information_schema.columns
      where table_schema = 'public' and data_type like 'timestamp%' and table_name not like 'knex%'`,
    );
    expect(moments.length).toBeGreaterThan(10);
    expect(moments.filter((moment) => !moment.endsWith(' 3'))).toEqual([]);
  });
});
