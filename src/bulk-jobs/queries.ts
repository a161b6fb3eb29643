import { type Db, first, one } from '../db/db.ts';
import { applyAll, type Condition, condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { withSearch } from '../db/list/hits-page.ts';
import type { ListSource } from '../db/list/page.ts';
import { knex, prepare, sql } from '../db/query.ts';
import { bytesOfJob, jobsOf } from '../jobs/queries.ts';
import type { Input } from '../operation.ts';
import type { BulkJobRow, Chunk, JobResource } from './tables.ts';

export const bulkJobs = jobsOf<BulkJobRow, 'job'>('job', ['update', 'delete', 'reassign', 'seed', 'declare']);

export const listedJobs: ListSource = { ...bulkJobs, bytes: bytesOfJob };

export const jobFilters: filters.FilterTable<Input<'listBulkJobs'>['query']> = {
  status: filters.anyOf('status'),
  kind: filters.equals('kind'),
  resource: (resource) => condition('? = any(resources)', resource),
  created_from: filters.from('created_at'),
  created_to: filters.to('created_at'),
};

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
    knex('jobs')
      .whereRaw(`status in ('queued', 'running') and kind not in ('import', 'replay')`)
      .where({ actor_id: client })
      .select(sql`count(*)::int as jobs`, sql`coalesce(sum(rows_total - rows_done), 0)::float8 as rows`),
  );
}

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
