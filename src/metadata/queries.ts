import type { Db } from '../db/db.ts';
import { applyAll, type Condition, withValues } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare, sql } from '../db/query.ts';
import { defineResource } from '../db/resource.ts';
import type { Input } from '../operation.ts';
import { type Declared, withTypes } from './declared.ts';
import { type MetadataFieldRow, metadataFieldColumns } from './tables.ts';

export const metadataFields = defineResource<MetadataFieldRow, 'field'>({
  table: 'metadata_fields',
  prefix: 'field',
  another: 'another metadata field',
  unique: [],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: metadataFieldColumns,
});

export const metadataFieldFilters: filters.FilterTable<Input<'listMetadataFields'>['query']> = {
  ...filters.dateFilters,
  resource: filters.equals('resource'),
  key: filters.equals('key'),
  status: filters.anyOf('status'),
};

/** What has declared keys. */
const RESOURCES: readonly string[] = [
  'leads',
  'contacts',
  'content',
] satisfies MetadataFieldRow['resource'][];

const lockedFields = prepare<{ table: string }, MetadataFieldRow>('declared_metadata', ($) =>
  knex.from(sql`declared_metadata(${$('table')})`).select(metadataFieldColumns),
);

const readFields = prepare<{ table: string }, MetadataFieldRow>('metadata_fields_of', ($) =>
  knex('metadata_fields')
    .select(metadataFieldColumns)
    .where('resource', $('table') as never),
);

/** The declared keys of a table, for reading. */
export async function findDeclared(db: Db, table: string): Promise<Declared> {
  const rows = RESOURCES.includes(table) ? await db.run(readFields({ table })) : [];
  return new Map(rows.map((row) => [row.key, row]));
}

/** The same for writing the items. The types don't change until the transaction ends. Without metadata, nothing is read. */
export async function lockDeclared(db: Db, table: string, items: readonly object[]): Promise<Declared> {
  const isWritten = items.some((item) => Object.keys(('metadata' in item && item.metadata) || {}).length > 0);
  const rows = isWritten && RESOURCES.includes(table) ? await db.run(lockedFields({ table })) : [];
  return new Map(rows.map((row) => [row.key, row]));
}

/** The fields of one row of the table, for writing: see withTypes. */
export async function typed<Fields extends object>(
  db: Db,
  table: string,
  fields: Fields,
  before?: object,
): Promise<Fields> {
  return withTypes(await lockDeclared(db, table, [fields]), fields, before);
}

/** Waits until no other transaction writes metadata by what it read before. Until this one ends, none begins to. */
export async function waitForWriters(db: Db): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(metadata_lock())`);
}

/** The conditions of the lead that a sales cycle belongs to. */
export function ofLead(conditions: readonly Condition[]): Condition {
  return {
    shape: `of lead ${conditions.map(({ shape }) => shape)}`,
    values: conditions.flatMap(({ values }) => values),
    apply: (rows, values) =>
      rows.whereExists(
        knex('leads')
          .select(sql`1`)
          .where('leads.id', knex.ref('lead_id'))
          .modify(applyAll, withValues(conditions, values)),
      ),
  };
}
