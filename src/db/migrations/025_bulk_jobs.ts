import type { Knex } from 'knex';

/** Jobs that change many rows in the background: the queue, the rows that each will change, and their errors. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table bulk_jobs (
      id uuid constraint bulk_jobs_pkey primary key,
      kind text not null,
      status text not null constraint bulk_jobs_status_check
        check (status in ('queued', 'running', 'completed', 'cancelled', 'failed')),
      resources text[] not null,
      -- As json, so that the fields keep their order.
      filter json,
      action json not null,
      dry_run boolean not null,
      rows_total integer not null,
      rows_done integer not null default 0,
      -- {resource: counts}
      progress json not null,
      -- {code: {field: rows}}
      failures json not null default '{}',
      errors_kept integer not null default 0,
      next_chunk integer not null default 0,
      attempts integer not null default 0,
      actor_type text not null,
      actor_id uuid,
      actor_user_id uuid,
      request_id text not null,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      -- The API key that it was created with.
      key_id uuid,
      failure_code text,
      failure_reason text,
      created_at timestamptz(3) not null default statement_timestamp(),
      updated_at timestamptz(3) not null default statement_timestamp(),
      version integer not null default 1
    );
    -- GET /bulk-jobs.
    create index bulk_jobs_created_at_idx on bulk_jobs (created_at, id);
    -- The workers, and each client's limit.
    create index bulk_jobs_queue_idx on bulk_jobs (actor_id, created_at, id) where status in ('queued', 'running');
    create index bulk_jobs_finished_idx on bulk_jobs (actor_id, finished_at) where finished_at is not null;
    -- A seed's data can't be added twice at the same time.
    create unique index bulk_jobs_seed_key on bulk_jobs ((action -> 'seed' ->> 'seed'))
      where kind = 'seed' and status in ('queued', 'running') and not dry_run;

    -- Without a foreign key, because the rows are counted before the job is stored.
    create table bulk_job_chunks (
      job_id uuid not null,
      number integer not null,
      resource text not null,
      first_row integer not null,
      ids uuid[] not null,
      constraint bulk_job_chunks_pkey primary key (job_id, number)
    );

    create table bulk_job_errors (
      id uuid constraint bulk_job_errors_pkey primary key,
      job_id uuid not null constraint bulk_job_errors_job_id_fkey references bulk_jobs on delete cascade,
      "row" integer not null,
      resource text not null,
      resource_id uuid,
      field text,
      code text not null,
      message text not null
    );
    -- GET /bulk-jobs/{id}/errors.
    create index bulk_job_errors_job_id_idx on bulk_job_errors (job_id, "row", id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table bulk_job_errors, bulk_job_chunks, bulk_jobs');
}
