import { column, columnsOf } from '../db/tables.ts';
import { jobColumns } from '../jobs/tables.ts';
import type { Schema } from '../operation.ts';
import type { Styles } from './mapping/styles.ts';

/** What the service has found in a file and its mapping. */
type Findings = Pick<Schema<'Import'>, 'warnings' | 'doubts' | 'unused_columns'> & {
  /** How columns write amounts and dates. */
  styles?: Styles;
  /** Whether the file is an export of this service. */
  isOwnExport?: boolean;
};

const imported = {
  ...jobColumns,
  status: column<Schema<'ImportStatus'>>(),
  resource: column<Schema<'ImportResource'>>(),
  format: column<Schema<'Import'>['format']>(),
  match: column<Schema<'ImportMatch'>>(),
  on_duplicate: column<Schema<'ImportOnDuplicate'>>(),
  create_users: column<boolean>(),
  columns: column<string[]>(),
  mapping: column<Schema<'ImportMapping'>>(),
  defaults: column<Schema<'ImportDefaults'>>(),
  values: column<Schema<'ImportValues'>>(),
  locale: column<string | null>(),
  default_country: column<string | null>(),
  charset: column<string | null>(),
  sheet: column<string | null>(),
  findings: column<Findings>(),
  created: column<number>(),
  updated: column<number>(),
  unchanged: column<number>(),
  failed: column<number>(),
  warned: column<number>(),
  /** The number of failed rows by the code and the field of their first error. */
  failures: column<Record<string, Record<string, number>>>(),
  /** The options of a draft for a file that is yet to come. */
  given_mapping: column<Schema<'ImportMapping'>>(),
  given_charset: column<string | null>(),
  given_start: column<boolean | null>(),
  file_sha256: column<string | null>(),
  /** Warnings stored, which are limited too. */
  warnings_kept: column<number>(),
  /** The most cells of a rejected row: it may have more than the file has columns. */
  rejected_width: column<number>(),
  /** How often it was started. */
  starts: column<number>(),
};

export type ImportRow = typeof imported;
export const importColumns = columnsOf(imported);

const importError = {
  id: column<string>(),
  row: column<number>(),
  severity: column<Schema<'ImportSeverity'>>(),
  column: column<string | null>(),
  field: column<string | null>(),
  code: column<string>(),
  message: column<string>(),
};

export type ImportErrorRow = typeof importError;
export const importErrorColumns = columnsOf(importError);

const importedRow = {
  /** The import. */
  id: column<string>(),
  row: column<number>(),
  outcome: column<Schema<'ImportOutcome'>>(),
  /** The lead or contact. Null if the row failed, and in a dry run. */
  resource_id: column<string | null>(),
};

export type ImportedRow = typeof importedRow;
export const importedRowColumns = columnsOf(importedRow);

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
    import_rows: ImportedRow;
    import_keys: { import_id: string; hash: string; row: number };
  }
}
