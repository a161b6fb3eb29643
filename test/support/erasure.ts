/** Helpers for tests of erasure. */
import { hash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { hashOfEmail } from '../../src/privacy/person-hash.ts';
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

/**
 * Every column of every table, new ones too, that contains one of the texts or a digest of one: as bytes, in hexadecimal
 * digits or in Base64.
 */
export async function tracesOfAll(
  { production: { knex } }: TestApp,
  texts: readonly string[],
): Promise<string[]> {
  const { rows: columns } = await knex.raw(`
    select table_name, column_name, data_type from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and data_type not in ('uuid', 'boolean', 'integer', 'smallint', 'timestamp with time zone')`);
  const written = texts.flatMap((text) => [text, text.toLowerCase()]);
  const digests = [...new Set(written)].map((text) => hash('sha256', text, 'buffer'));
  const wanted = [
    ...written,
    ...digests.flatMap((bytes) => [
      bytes.toString('hex'),
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ]),
    ...texts.map(hashOfEmail),
  ].map((text) => text.toLowerCase());
  const found: string[] = [];
  for (const { table_name, column_name, data_type } of columns) {
    const isBytes = data_type === 'bytea';
    const shown = isBytes ? `encode(??, 'escape') || encode(??, 'hex')` : '??::text';
    const hit = await knex.raw(
      `select 1 from ?? where exists (
         select from unnest(?::text[]) as wanted where strpos(lower(${shown}), wanted) > 0
       ) limit 1`,
      [table_name, wanted, ...(isBytes ? [column_name, column_name] : [column_name])],
    );
    if (hit.rows.length > 0) found.push(`${table_name}.${column_name}`);
  }
  return found.toSorted();
}

/** A person with unique values in every field. */
export function someone() {
  const mark = randomUUID().slice(0, 8);
  const phone = `+49151${Math.floor(1e7 + Math.random() * 9e7)}`;
  return { mark, fields: { name: `Name ${mark}`, email: `${mark}@example.com`, phone } };
}
