import type { Actor } from '../actor.ts';
import { base, column } from '../db/tables.ts';

/** Columns shared by imports and bulk jobs, whose chunks are processed one after another. */
export const jobColumns = {
  ...base,
  dry_run: column<boolean>(),
  rows_total: column<number>(),
  rows_done: column<number>(),
  /** Errors stored, which are limited. */
  errors_kept: column<number>(),
  /** The number of the chunk to process next. */
  next_chunk: column<number>(),
  /** How often the next chunk has failed as a whole. */
  attempts: column<number>(),
  actor_type: column<Actor['type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  request_id: column<string>(),
  started_at: column<string | null>(),
  finished_at: column<string | null>(),
  failure_reason: column<string | null>(),
};
