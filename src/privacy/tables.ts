import type { ActorColumns } from '../actor.ts';
import { column, columnsOf } from '../db/tables.ts';
import type { Schema } from '../operation.ts';

export const erasure = {
  id: column<string>(),
  created_at: column<string>(),
  actor_type: column<ActorColumns['actor_type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  request_id: column<string>(),
  counts: column<Schema<'ErasureCounts'>>(),
  /** Public ids. */
  former: column<string[]>(),
  receivers: column<Schema<'Receiver'>[]>(),
};

export type ErasureRow = typeof erasure;
export const erasureColumns = columnsOf(erasure);

declare module 'knex/types/tables.js' {
  interface Tables {
    erasures: ErasureRow;
  }
}
