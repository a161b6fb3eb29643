/** Helpers for tests of erasure. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';

/** Every column of every table that contains the text. */
export async function traces({ production: { knex } }: TestApp, text: string): Promise<string[]> {
  const { rows } = await knex.raw(`
    select table_schema, table_name, column_name, data_type from information_schema.columns
    where table_schema = 'public' and data_type not in ('uuid', 'boolean', 'integer', 'bigint', 'smallint')`);
  expect(rows.length).toBeGreaterThan(80);
  const found: string[] = [];
  for (const { table_schema, table_name, column_name, data_type } of rows) {
    const value = data_type === 'bytea' ? `encode(??, 'escape')` : '??::text';
    const sql = `select 1 from ??.?? where strpos(lower(${value}), lower(?)) > 0 limit 1`;
    const hit = await knex.raw(sql, [table_schema, table_name, column_name, text]);
    if (hit.rows.length > 0) found.push(`${table_name}.${column_name}`);
  }
  return found;
}

/** A person with unique values in every field. */
export function someone() {
  const mark = randomUUID().slice(0, 8);
  const phone = `+49${Date.now().toString().slice(-7)}${Math.floor(Math.random() * 1e5)}`;
  return { mark, fields: { name: `Name ${mark}`, email: `${mark}@example.com`, phone } };
}
