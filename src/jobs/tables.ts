import type { ActorColumns } from '../actor.ts';
import { base, column, columnsOf, personal } from '../db/tables.ts';
import type { Schema } from '../operation.ts';
import type { FailureColumns } from './failure.ts';
import type { Failures } from './failures.ts';

/** On whose behalf something runs after its request: the actor, and the API key (UUID) that the request was made with. */
export interface GrantColumns extends ActorColumns {
  key_id: string | null;
}

export type JobKind = 'import' | Schema<'BulkJobKind'> | 'replay';

export const job = {
  ...base,
  kind: column<JobKind>(),
  status: column<Schema<'ImportStatus'>>(),
  /** What was asked for, and what the kind has to know. */
  options: personal<object>({ address: 'erase_address(options, whole)' }),
  /** What the kind remembers between chunks. */
  state: column<object>(),
  counts: column<object>(),
  /** What it changes, such as `leads`. */
  resources: column<string[]>(),
  /** The webhook (UUID) that a replay sends to. */
  webhook_id: column<string | null>(),
  /** Only one unended job of a kind has it. */
  exclusive_key: column<string | null>(),
  dry_run: column<boolean>(),
  rows_total: column<number>(),
  rows_done: column<number>(),
  /** The number of failed rows by the code and the field of their first error. */
  failures: personal<Failures>({ address: 'erase_address(failures, whole)' }),
  /** Errors stored, which are limited. */
  errors_kept: column<number>(),
  /** Warnings stored, which are limited too. */
  warnings_kept: column<number>(),
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
  failure_message: column<string | null>(),
};

/** A job. Each kind says what its options, state and counts are. */
export type JobRow = typeof job;
export const jobColumns = columnsOf(job);

export const jobError = {
  id: column<string>(),
  /** The row's place in the job or file. */
  row: column<number>(),
  severity: column<Schema<'ImportSeverity'>>(),
  resource: column<string | null>(),
  resource_id: column<string | null>(),
  /** The column of a file. */
  column: personal<string | null>({ address: 'erase_address("column", whole)' }),
  field: column<string | null>(),
  code: column<string>(),
  message: personal<string>({ address: 'erase_address(message, whole)' }),
};

export type JobErrorRow = typeof jobError;
export const jobErrorColumns = columnsOf(jobError);

declare module 'knex/types/tables.js' {
  interface Tables {
    jobs: JobRow;
    job_errors: JobErrorRow & { job_id: string };
  }
}
