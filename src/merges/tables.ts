import { column, personal } from '../db/tables.ts';

/** A lead or contact that was merged into another one. */
export const merge = {
  /** UUIDs. */
  id: column<string>(),
  merged_into: column<string>(),
  kind: column<'lead' | 'contact'>(),
  /** Its own external id, if it was given up. */
  external_id: personal<string | null>(),
  /** Its address, which erasing the person must find. */
  email: personal<string | null>(),
};

export type MergeRow = typeof merge;
