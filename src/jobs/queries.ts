import type { Knex } from 'knex';
import { type Db, first } from '../db/db.ts';
import type { ListSource } from '../db/list/page.ts';
import { knex, prepare, sql } from '../db/query.ts';
import { defineResource, type Resource } from '../db/resource.ts';
import { newUuid } from '../values/id.ts';
import { storableJson } from '../values/text.ts';
import { type JobErrorRow, type JobKind, type JobRow, jobColumns, jobErrorColumns } from './tables.ts';

/** How the jobs of some kinds are stored. */
export function jobsOf<Row extends JobRow, Prefix extends 'import' | 'job' | 'replay'>(
  prefix: Prefix,
  kinds: readonly JobKind[],
): Resource<Row, Prefix> {
  return defineResource<Row, Prefix>({
    table: 'jobs',
    part: { name: `${prefix}_jobs`, kinds },
    prefix,
    another: 'another job',
    unique: [],
    sortable: { created_at: 'timestamptz' },
    columns: jobColumns,
  });
}

/** For lists: a file may have thousands of columns, and an action 16 KB of metadata. */
export const bytesOfJob: ListSource['bytes'] = sql`octet_length(options::text) + octet_length(counts::text)
  + octet_length(failures::text) + 2000`;

const next = prepare<{ id: string | undefined; kinds: string[] }, JobRow>('lock_next_job', ($) => {
  const jobs: Knex.QueryBuilder = knex('jobs');
  return (
    jobs
      .whereRaw(`status in ('queued', 'running')`)
      .whereRaw('id = coalesce(?::uuid, id)', [$('id')])
      .whereRaw('kind = any(?::text[])', [$('kinds')])
      .whereRaw(
        `id in (select distinct on (actor_id) id from jobs
          where status in ('queued', 'running') and (waits_until <= clock_timestamp()) is not false
          order by actor_id, created_at, id)`,
      )
      // Its last chunk was that of this job or of one that has ended since.
      .orderByRaw(
        'greatest(updated_at, (select max(finished_at) from jobs ended where ended.actor_id = jobs.actor_id)), id',
      )
      .limit(1)
      .select(jobColumns)
      .forNoKeyUpdate()
      .skipLocked()
  );
});

/**
 * Locks the next job of these kinds, or the one with this id (UUID). Undefined if there is none, or if another process has
 * locked it. Each client's jobs run one after another, except that one which waits lets the others pass. The client whose
 * turn was longest ago comes next, so that nobody waits for another client's jobs longer than a chunk takes, however many
 * there are.
 */
export function lockNext(trx: Db, kinds: readonly string[], id?: string): Promise<JobRow | undefined> {
  return first(trx, next({ id, kinds: [...kinds] }));
}

const postponement = prepare<{ id: string }, never>('postpone_job', ($) =>
  knex('jobs')
    .where({ id: $('id') })
    .update({ waits_until: sql`clock_timestamp() + interval '1 second'` } as object),
);

/** Leaves a job alone for a second, since it has nothing to do yet. */
export async function postpone(trx: Db, id: string): Promise<void> {
  await trx.run(postponement({ id }));
}

export const jobErrors = {
  table: 'job_errors',
  columns: jobErrorColumns,
  sortable: { row: 'bigint' },
} as const;

const insertion = prepare<{ id: string; errors: string }, never>('insert_job_errors', ($) =>
  knex.raw(
    `insert into job_errors (job_id, id, "row", severity, resource, resource_id, "column", field, code, message)
      select ?::uuid, * from json_to_recordset(?::json) as error(id uuid, "row" integer, severity text, resource text,
        resource_id uuid, "column" text, field text, code text, message text)`,
    [$('id'), $('errors')],
  ),
);

/** What became of a row. What is left out is null. */
export type NewJobError = Pick<JobErrorRow, 'row' | 'severity' | 'field' | 'code' | 'message'> &
  Partial<JobErrorRow>;

export async function insertErrors(db: Db, id: string, errors: readonly NewJobError[]): Promise<void> {
  if (errors.length === 0) return;
  const rows = errors.map((error) => ({ id: newUuid(), ...error }));
  await db.run(insertion({ id, errors: storableJson(rows) }));
}
