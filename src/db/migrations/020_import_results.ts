import type { Knex } from 'knex';

/** Options and results of imports: what the service has found in the file, and what became of each row. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A draft may wait for its file. Then it has no format, and remembers the options for it.
    alter table imports
      -- contract: the previous version never reads the format of a draft without a file as anything but a text to show.
      alter column format drop not null,
      add column "values" json not null default '{}',
      add column locale text,
      add column default_country text,
      add column charset text,
      add column sheet text,
      add column given_mapping json not null default '{}',
      add column given_charset text,
      add column given_start boolean,
      add column file_sha256 text,
      -- {warnings, doubts, unused_columns}
      add column findings json not null default '{"warnings": [], "doubts": [], "unused_columns": []}',
      add column warned integer not null default 0,
      -- {code: {field: rows}}
      add column failures json not null default '{}',
      add column warnings_kept integer not null default 0,
      add column rejected_width integer not null default 0;

    alter table import_errors add column severity text not null default 'error';

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
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table import_rows;
    alter table import_errors drop column severity;
    delete from imports where format is null;
    alter table imports
      alter column format set not null,
      drop column "values", drop column locale, drop column default_country, drop column charset, drop column sheet,
      drop column given_mapping, drop column given_charset, drop column given_start, drop column file_sha256,
      drop column findings, drop column warned, drop column failures, drop column warnings_kept,
      drop column rejected_width;
  `);
}
