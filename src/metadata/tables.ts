import { base, column, columnsOf } from '../db/tables.ts';
import type { Schema } from '../operation.ts';

export const metadataField = {
  ...base,
  resource: column<Schema<'MetadataResource'>>(),
  key: column<string>(),
  label: column<string | null>(),
  type: column<Schema<'MetadataFieldType'>>(),
  /** Of a choice. */
  options: column<string[] | null>(),
  /** The number of the column `indexed_1` to `indexed_10` that has its values. */
  slot: column<number | null>(),
  status: column<Schema<'MetadataFieldStatus'>>(),
  /** Whether values are written with their JSON type. Until every stored value fits, they are texts. */
  is_typed: column<boolean>(),
  /** The last job that converted the stored values (UUID). */
  job_id: column<string>(),
};

export type MetadataFieldRow = typeof metadataField;
export const metadataFieldColumns = columnsOf(metadataField);

declare module 'knex/types/tables.js' {
  interface Tables {
    metadata_fields: MetadataFieldRow;
  }
}
