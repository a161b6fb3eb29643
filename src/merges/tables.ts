import { column, personal } from '../db/tables.ts';

/** A lead or contact that was merged into another one. */
export const merge = {
  /** UUIDs. */
  id: column<string>(),
  merged_into: column<string>(),
  kind: column<'lead' | 'contact'>(),
  /** Its own external id, if it was given up. */
  external_id: personal<string | null>(),
  /** Those of its addresses that the one that stayed has no room for, in lower case. Erasing the person must find them. */
  emails: personal<string[]>(),
};

export type MergeRow = typeof merge;
