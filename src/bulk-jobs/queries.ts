import { type Db, first, one } from '../db/db.ts';
import { applyAll, type Condition, condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { withSearch } from '../db/list/hits-page.ts';
import type { ListSource } from '../db/list/page.ts';
import { before, knex, prepare, sql } from '../db/query.ts';
import { defineResource } from '../db/resource.ts';
import { createLockNext } from '../jobs/queue-queries.ts';
import type { Input } from '../operation.ts';
import { storableJson } from '../values/text.ts';
import {
  type BulkJobErrorRow,
  type BulkJobRow,
  bulkJobColumns,
  bulkJobErrorColumns,
  type Chunk,
  type JobResource,
} from './tables.ts';

export const bulkJobs = defineResource<BulkJobRow, 'job'>({
  table: 'bulk_jobs',
  prefix: 'job',
  another: 'another job',
  unique: [],
  sortable: { created_at: 'timestamptz' },
  columns: bulkJobColumns,
});

/** An action may have 16 KB of metadata. */
export const listedJobs: ListSource = {
  ...bulkJobs,
  bytes: sql`octet_length(coalesce(filter::text, '')) + octet_length(action::text) + octet_length(failures::text) + 2000`,
};

export const jobFilters: filters.FilterTable<Input<'listBulkJobs'>['query']> = {
  status: filters.anyOf('status'),
  kind: filters.equals('kind'),
  resource: (resource) => condition('? = any(resources)', resource),
  created_from: filters.from('created_at'),
  created_to: filters.to('created_at'),
};

export const jobErrors = {
  table: 'bulk_job_errors',
  columns: bulkJobErrorColumns,
  sortable: { row: 'bigint' },
} as const;

/** Rows per chunk. Few, so that a transaction holds its locks only briefly. */
const CHUNK = 500;

interface Matching {
  source: ListSource;
  conditions: readonly Condition[];
  search: string | undefined;
}

/** The chunks and rows that a job has so far. */
export interface Stored {
  chunks: number;
  rows: number;
}

/** Stores the ids of all matching rows in chunks, after those that are stored already. Returns what the job has then. */
export async function storeMatching(
  db: Db,
  id: string,
  resource: JobResource,
  { source, conditions, search }: Matching,
  { chunks, rows }: Stored = { chunks: 0, rows: 0 },
): Promise<Stored> {
  const sort = { column: 'created_at', type: 'timestamptz', descending: false } as const;
  const request = { conditions, search, sort, limit: 0, offset: 0, after: undefined };
  const matching = knex(resource)
    .select('id', sql`row_number() over (order by id) - 1 as place`)
    .modify(applyAll, withSearch(source, request).conditions);
  const stored = await one<Stored>(
    db,
    sql`
      with matching as materialized (${matching}),
      numbered as (select id, place, place / ${CHUNK}::int as number from matching),
      stored as (
        insert into bulk_job_chunks (job_id, number, resource, first_row, ids)
        select ${id}::uuid, ${chunks}::int + number, ${resource}::text, ${rows}::int + min(place) + 1,
          array_agg(id order by place)
        from numbered group by number
        returning cardinality(ids) as rows
      )
      select count(*)::int as chunks, coalesce(sum(rows), 0)::int as rows from stored`,
  );
  return { chunks: chunks + stored.chunks, rows: rows + stored.rows };
}

/** Unended jobs of a client (UUID), and their rows that are not processed yet. */
export async function unended(db: Db, client: string | null): Promise<{ jobs: number; rows: number }> {
  return one(
    db,
    knex('bulk_jobs')
      .whereRaw(`status in ('queued', 'running')`)
      .where({ actor_id: client })
      .select(sql`count(*)::int as jobs`, sql`coalesce(sum(rows_total - rows_done), 0)::float8 as rows`),
  );
}

export const lockNext = createLockNext<BulkJobRow>('bulk_jobs', bulkJobColumns);

const chunk = prepare<{ id: string; number: number }, Chunk>('bulk_job_chunk', ($) =>
  knex('bulk_job_chunks')
    .where({ job_id: $('id'), number: $('number') })
    .select('resource', 'first_row', 'ids'),
);

/** Undefined after the last one. */
export function readChunk(trx: Db, id: string, number: number): Promise<Chunk | undefined> {
  return first(trx, chunk({ id, number }));
}

const deletion = prepare<{ id: string; number: number }, never>('delete_bulk_job_chunk', ($) =>
  knex('bulk_job_chunks')
    .where({ job_id: $('id'), number: $('number') })
    .delete(),
);

export async function deleteChunk(trx: Db, id: string, number: number): Promise<void> {
  await trx.run(deletion({ id, number }));
}

/** Deletes the chunks that are left. */
export async function deleteChunks(db: Db, id: string): Promise<void> {
  await db.run(knex('bulk_job_chunks').where({ job_id: id }).delete());
}

const insertion = prepare<{ id: string; errors: string }, never>('insert_bulk_job_errors', ($) =>
  knex.raw(
    `insert into bulk_job_errors (job_id, id, "row", resource, resource_id, field, code, message)
      select ?::uuid, * from json_to_recordset(?::json)
        as error(id uuid, "row" integer, resource text, resource_id uuid, field text, code text, message text)`,
    [$('id'), $('errors')],
  ),
);

export async function insertErrors(db: Db, id: string, errors: readonly BulkJobErrorRow[]): Promise<void> {
  if (errors.length > 0) await db.run(insertion({ id, errors: storableJson(errors) }));
}

const MAX_JOBS = 10_000;
const MAX_ERRORS = 1_000_000;

/** Deletes ended jobs that were 90 days old at `now`, with their errors, and the oldest ones of a client with too many. */
export async function deleteOldJobs(db: Db, now: Date, limit: number): Promise<number> {
  const deleted = await db.run(
    knex.raw(
      `delete from bulk_jobs where id in (
         select id from (
           select id, created_at, row_number() over latest as place, sum(errors_kept) over latest as errors
           from bulk_jobs where status not in ('queued', 'running')
           window latest as (partition by actor_id order by created_at desc, id desc)
         ) as ended
         where created_at < ? or place > ? or errors > ? limit ?
       ) returning 1`,
      [before(now, '90 days'), MAX_JOBS, MAX_ERRORS, limit],
    ),
  );
  return deleted.length;
}
