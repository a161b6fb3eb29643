import type { Knex } from 'knex';

/** Imports of leads and contacts from files: the queue, the rows to import, and their errors. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table imports (
      id uuid constraint imports_pkey primary key,
      status text not null constraint imports_status_check
        check (status in ('draft', 'queued', 'running', 'completed', 'cancelled', 'failed')),
      resource text not null constraint imports_resource_check check (resource in ('leads', 'contacts')),
      format text not null,
      match text not null,
      on_duplicate text not null,
      dry_run boolean not null,
      columns text[] not null,
      -- As json, so that the columns keep their order.
      mapping json not null,
      defaults json not null,
      rows_total integer not null,
      rows_done integer not null default 0,
      created integer not null default 0,
      updated integer not null default 0,
      unchanged integer not null default 0,
      failed integer not null default 0,
      errors_kept integer not null default 0,
      starts integer not null default 1,
      next_chunk integer not null default 0,
      attempts integer not null default 0,
      actor_type text not null,
      actor_id uuid,
      request_id text not null,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      created_at timestamptz(3) not null default statement_timestamp(),
      updated_at timestamptz(3) not null default statement_timestamp(),
      version integer not null default 1,
      failure_reason text
    );
    -- GET /imports.
    create index imports_created_at_idx on imports (created_at, id);
    -- The workers.
    create index imports_queue_idx on imports (created_at, id) where status in ('queued', 'running');
    -- A client's imports that can still be started, for limiting them.
    create index imports_startable_idx on imports (actor_id, created_at)
      where status in ('draft', 'queued', 'running') or (status = 'completed' and dry_run);

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

    create table import_errors (
      id uuid constraint import_errors_pkey primary key,
      import_id uuid not null constraint import_errors_import_id_fkey references imports on delete cascade,
      "row" integer not null,
      "column" text,
      field text,
      code text not null,
      message text not null
    );
    -- GET /imports/{id}/errors.
    create index import_errors_import_id_idx on import_errors (import_id, "row", id);

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

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table import_erasures, import_keys, import_errors, import_chunks, imports');
}
