import { readdirSync, readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/db/migration-settings.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { readSchema, readTexts } from '../support/schema.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
});

afterAll(() => database.drop());

describe('The migrations', () => {
  it('go up, all the way down to an empty database, and up again to the same schema', async () => {
    const empty = await readSchema(knex);
    await knex.migrate.latest();
    const first = await readSchema(knex);
    expect(first.columns.some((column) => column.startsWith('leads search'))).toBe(true);
    for (const kind of ['indexes', 'constraints', 'functions', 'triggers'] as const) {
      expect(first[kind].length).toBeGreaterThan(empty[kind].length);
    }
    await knex.migrate.rollback(undefined, true);
    expect(await readSchema(knex)).toEqual(empty);
    await knex.migrate.latest();
    expect(await readSchema(knex)).toEqual(first);
  });

  it('go down and up one by one as well', async () => {
    const full = await readSchema(knex);
    const count = readdirSync(migrations.directory as string).filter((file) => file.endsWith('.ts')).length;
    for (let step = 0; step < count; step += 1) await knex.migrate.down();
    expect((await readSchema(knex)).columns).toEqual([]);
    for (let step = 0; step < count; step += 1) await knex.migrate.up();
    expect(await readSchema(knex)).toEqual(full);
  });

  it('name every constraint and index themselves', async () => {
    const directory = migrations.directory as string;
    const source = readdirSync(directory)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`${directory}/${file}`, 'utf8'))
      .join('\n');
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
