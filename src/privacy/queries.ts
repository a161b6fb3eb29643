import { type Db, first, one } from '../db/db.ts';
import * as filters from '../db/list/filters.ts';
import { knex } from '../db/query.ts';
import { actorFilters } from '../events/queries.ts';
import type { Input } from '../operation.ts';
import { storableJson } from '../values/text.ts';
import { type ErasureRow, erasureColumns } from './tables.ts';

export const erasures = {
  table: 'erasures',
  columns: erasureColumns,
  sortable: { created_at: 'timestamptz' },
} as const;

export const erasureFilters: filters.FilterTable<Input<'listErasures'>['query']> = {
  ...actorFilters,
  created_from: filters.from('created_at'),
  created_to: filters.to('created_at'),
};

export function findErasure(db: Db, id: string): Promise<ErasureRow | undefined> {
  return first(db, knex('erasures').where({ id }).select(erasureColumns));
}

export async function insertErasure(db: Db, values: Omit<ErasureRow, 'created_at'>): Promise<ErasureRow> {
  const receivers = storableJson(values.receivers) as never;
  const insert = knex('erasures').insert({ ...values, receivers });
  return one<ErasureRow>(db, insert.returning(erasureColumns));
}

/** Leads and contacts (UUIDs) that had the address before, as far back as events are kept. */
export async function findFormer(db: Db, email: string): Promise<string[]> {
  const rows = await db.run<{ id: string }>(
    knex.raw(
      `select distinct coalesce(merged_into, resource_id) as id
       from events left join merges on merges.id = resource_id
       where (changes -> 'email' is not null or changes -> 'other_emails' is not null)
         and former_emails(changes) @> array[lower(?)]
         and (type like 'lead.%' or type like 'contact.%')`,
      [email],
    ),
  );
  return rows.map(({ id }) => id);
}

/** The number of notes about leads and contacts (UUIDs). */
export async function countNotes(db: Db, leads: string[], contacts: string[]): Promise<number> {
  const { count } = await one<{ count: string }>(
    db,
    knex.raw(
      `select (select count(*) from notes where lead_id = any(?::uuid[]))
         + (select count(*) from notes where contact_id = any(?::uuid[])) as count`,
      [leads, contacts],
    ),
  );
  return Number(count);
}

/** How many deliveries about the leads and contacts (UUIDs) each webhook has received. */
export async function receiversOf(
  db: Db,
  ids: string[],
): Promise<{ webhook_id: string; deliveries: string }[]> {
  return db.run(
    knex.raw(
      `select webhook_id, count(*) as deliveries from webhook_deliveries
       where resource_id = any(?::uuid[]) and status = 'succeeded'
       group by webhook_id order by webhook_id limit 100`,
      [ids],
    ),
  );
}

/** The leads and contacts (UUIDs) into which others with this address were merged, without room for it. */
export async function findSurvivors(db: Db, email: string): Promise<string[]> {
  const survivors = knex('merges').whereRaw(`emails <> '{}' and emails && ?::text[]`, [
    [email.toLowerCase()],
  ]);
  const rows = await db.run<{ id: string }>(survivors.select({ id: 'merged_into' }));
  return rows.map(({ id }) => id);
}
