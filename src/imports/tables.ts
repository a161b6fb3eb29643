import { column, columnsOf, personal } from '../db/tables.ts';
import type { JobRow } from '../jobs/tables.ts';
import type { Schema } from '../operation.ts';
import type { Styles } from './mapping/styles.ts';

/** What the service has found in a file and its mapping. */
export type Findings = Pick<Schema<'Import'>, 'warnings' | 'doubts' | 'unused_columns'> & {
  /** The columns that a client has mapped or ignored. The service has decided about the others. */
  decided: readonly string[];
  /** How columns write amounts and dates. */
  styles?: Styles;
  /** Whether the file is an export of this service. */
  isOwnExport?: boolean;
};

/** How a file is imported, and what the service has found in it. */
export interface ImportOptions {
  resource: Schema<'ImportResource'>;
  format: Schema<'Import'>['format'];
  match: Schema<'ImportMatch'>;
  on_duplicate: Schema<'ImportOnDuplicate'>;
  create_users: boolean;
  columns: string[];
  mapping: Schema<'ImportMapping'>;
  defaults: Schema<'ImportDefaults'>;
  values: Schema<'ImportValues'>;
  locale: string | null;
  default_country: string | null;
  charset: string | null;
  sheet: string | null;
  findings: Findings;
}

export type ImportRow = JobRow & {
  options: ImportOptions;
  state: {
    /** The most cells of a rejected row: it may have more than the file has columns. */
    rejected_width: number;
    /** How often it was started. */
    starts: number;
  };
  counts: Schema<'Import'>['counts'];
};

export const importedRow = {
  /** The import. */
  id: column<string>(),
  row: column<number>(),
  outcome: column<Schema<'ImportOutcome'>>(),
  /** The lead or contact. Null if the row failed, and in a dry run. */
  resource_id: column<string | null>(),
};

export type ImportedRow = typeof importedRow;
export const importedRowColumns = columnsOf(importedRow);

export const importChunk = {
  import_id: column<string>(),
  client_id: column<string | null>(),
  number: column<number>(),
  /** Searched for an erased person later: there may be gigabytes of them. See erasure/forget-erased.ts. */
  rows: personal<string>(),
  created_at: column<string>(),
};

declare module 'knex/types/tables.js' {
  interface Tables {
    import_chunks: typeof importChunk;
    import_rows: ImportedRow;
    import_keys: { import_id: string; hash: string; row: number };
  }
}
