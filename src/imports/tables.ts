import { base, column, columnsOf } from '../db/tables.ts';
import type { Actor, Schema } from '../operation.ts';

const imported = {
  ...base,
  status: column<Schema<'ImportStatus'>>(),
  resource: column<Schema<'ImportResource'>>(),
  format: column<Schema<'Import'>['format']>(),
  match: column<Schema<'ImportMatch'>>(),
  on_duplicate: column<Schema<'ImportOnDuplicate'>>(),
  dry_run: column<boolean>(),
  columns: column<string[]>(),
  mapping: column<Schema<'ImportMapping'>>(),
  defaults: column<Schema<'ImportDefaults'>>(),
  rows_total: column<number>(),
  rows_done: column<number>(),
  created: column<number>(),
  updated: column<number>(),
  unchanged: column<number>(),
  failed: column<number>(),
  /** Rows in import_errors, which are limited. */
  errors_kept: column<number>(),
  /** How often it was started. */
  starts: column<number>(),
  /** The number of the chunk to import next. */
  next_chunk: column<number>(),
  /** How often the next chunk has failed as a whole. */
  attempts: column<number>(),
  actor_type: column<Actor['type']>(),
  actor_id: column<string | null>(),
  request_id: column<string>(),
  started_at: column<string | null>(),
  finished_at: column<string | null>(),
  failure_reason: column<string | null>(),
};

export type ImportRow = typeof imported;
export const importColumns = columnsOf(imported);

const importError = {
  id: column<string>(),
  row: column<number>(),
  column: column<string | null>(),
  field: column<string | null>(),
  code: column<string>(),
  message: column<string>(),
};

export type ImportErrorRow = typeof importError;
export const importErrorColumns = columnsOf(importError);

declare module 'knex/types/tables.js' {
  interface Tables {
    imports: ImportRow;
    import_errors: ImportErrorRow & { import_id: string };
    import_chunks: {
      import_id: string;
      client_id: string | null;
      number: number;
      rows: string;
      created_at: string;
    };
    import_keys: { import_id: string; hash: string };
  }
}
