import type { Knex } from 'knex';

/** Jobs in the background: imports from files, bulk jobs, seeds and replays. */
export async function up(knex: Knex): Promise<void> {
  await jobs(knex);
  await imports(knex);
}

/** The queue, with what was asked for and how far it is, the rows that bulk jobs will change, and the rows' errors. */
async function jobs(knex: Knex): Promise<void> {
  await knex.raw(`
    create table jobs (
      id uuid constraint jobs_pkey primary key,
      kind text not null constraint jobs_kind_check
        check (kind in ('import', 'update', 'delete', 'reassign', 'seed', 'declare', 'replay')),
      status text not null constraint jobs_status_check
        check (status in ('draft', 'queued', 'running', 'completed', 'cancelled', 'failed')),
      -- As json, so that columns and fields keep their order. Each kind has its own.
      options json not null,
      state json not null default '{}',
      counts json not null,
      resources text[] not null default '{}',
      webhook_id uuid constraint jobs_webhook_id_fkey references webhooks on delete cascade,
      exclusive_key text,
      dry_run boolean not null default false,
      rows_total integer not null default 0,
      rows_done integer not null default 0,
      -- {code: {field: rows}}
      failures json not null default '{}',
      errors_kept integer not null default 0,
      warnings_kept integer not null default 0,
      next_chunk integer not null default 0,
      attempts integer not null default 0,
      -- A job with nothing to do lets others pass until then.
      waits_until timestamptz(3),
      actor_type text not null,
      actor_id uuid,
      actor_user_id uuid,
      -- The API key that it was created with.
      key_id uuid,
      request_id text not null,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      failure_code text,
      failure_message text,
      created_at timestamptz(3) not null default statement_timestamp(),
      updated_at timestamptz(3) not null default statement_timestamp(),
      version integer not null default 1
    );
    -- The workers, and each client's limit.
    create index jobs_queue_idx on jobs (actor_id, created_at, id) where status in ('queued', 'running');
    create index jobs_finished_idx on jobs (actor_id, finished_at) where finished_at is not null;
    -- A seed's data can't be added twice at the same time, and a webhook has at most one unended replay.
    create unique index jobs_exclusive_key on jobs (kind, exclusive_key) where status in ('queued', 'running');
    -- GET /imports, with each client's imports that can still be started, for limiting them.
    create index jobs_imports_idx on jobs (created_at, id) where kind = 'import';
    create index jobs_startable_idx on jobs (actor_id, created_at) where kind = 'import'
      and (status in ('draft', 'queued', 'running') or (status = 'completed' and dry_run));
    -- GET /bulk-jobs.
    create index jobs_bulk_idx on jobs (created_at, id) where kind not in ('import', 'replay');
    -- GET /webhooks/{id}/replays.
    create index jobs_webhook_id_idx on jobs (webhook_id, created_at, id) where webhook_id is not null;

    -- Without a foreign key, because the rows are counted before the job is stored.
    create table bulk_job_chunks (
      job_id uuid not null,
      number integer not null,
      resource text not null,
      first_row integer not null,
      ids uuid[] not null,
      constraint bulk_job_chunks_pkey primary key (job_id, number)
    );

    create table job_errors (
      id uuid constraint job_errors_pkey primary key,
      job_id uuid not null constraint job_errors_job_id_fkey references jobs on delete cascade,
      "row" integer not null,
      severity text not null,
      resource text,
      resource_id uuid,
      "column" text,
      field text,
      code text not null,
      message text not null
    );
    -- GET /imports/{id}/errors and /bulk-jobs/{id}/errors.
    create index job_errors_job_id_idx on job_errors (job_id, "row", id);
  `);
}

/** The rows to import, and what became of each. */
async function imports(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Without a foreign key, because a file's rows are stored before its import is created.
    create table import_chunks (
      import_id uuid not null,
      number integer not null,
      rows text not null,
      created_at timestamptz(3) not null default now(),
      -- The client, for limiting its rows.
      client_id uuid,
      constraint import_chunks_pkey primary key (import_id, number)
    );

    -- What became of each row. Without a foreign key, because a million rows are deleted in batches.
    create table import_rows (
      -- The import.
      id uuid not null,
      "row" integer not null,
      outcome text not null,
      resource_id uuid,
      constraint import_rows_pkey primary key (id, "row")
    );
    -- Whether an earlier row of the file is about the same resource.
    create index import_rows_resource_id_idx on import_rows (id, resource_id) where resource_id is not null;
    -- The same, with the resource that stayed after a merge. An index on import_rows.resource_id would slow down every import.
    create view imported_rows as
      select id, "row", outcome,
        coalesce((select merged_into from merges where merges.id = import_rows.resource_id), resource_id) as resource_id
      from import_rows;

    -- Hashes of rows that a dry run has created and rolled back.
    create table import_keys (
      import_id uuid not null,
      hash bigint not null,
      "row" integer not null,
      constraint import_keys_pkey primary key (import_id, hash)
    );

    -- Hashes of people to erase from rows that are not imported yet.
    create table import_erasures (
      hash bigint not null,
      erased_at timestamptz(3) not null default clock_timestamp(),
      constraint import_erasures_pkey primary key (hash, erased_at)
    );
    -- The oldest pending erasure, and erasures since a time.
    create index import_erasures_erased_at_idx on import_erasures (erased_at);
  `);
}
