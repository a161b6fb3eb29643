import type { ActorColumns } from '../actor.ts';
import { base, column } from '../db/tables.ts';
import type { FailureColumns } from './failure.ts';

/** On whose behalf something runs after its request: the actor, and the API key (UUID) that the request was made with. */
export interface GrantColumns extends ActorColumns {
  key_id: string | null;
}

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
  actor_type: column<GrantColumns['actor_type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  key_id: column<string | null>(),
  request_id: column<string>(),
  started_at: column<string | null>(),
  finished_at: column<string | null>(),
  failure_code: column<FailureColumns['failure_code']>(),
  failure_reason: column<string | null>(),
};
