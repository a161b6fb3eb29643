import type { ActorColumns } from '../actor.ts';
import { base, column, columnsOf } from '../db/tables.ts';
import type { Failures } from '../jobs/failures.ts';
import type { Schema } from '../operation.ts';

export type JobResource = Schema<'BulkJobResource'>;
export type JobCounts = Schema<'BulkJobCounts'>;

/** The rows of one resource. */
export interface Progress {
  total: number;
  done: number;
  counts: JobCounts;
}

const bulkJob = {
  ...base,
  kind: column<Schema<'BulkJobKind'>>(),
  status: column<Schema<'BulkJobStatus'>>(),
  resources: column<JobResource[]>(),
  /** Without personal data. */
  filter: column<Record<string, string | null> | null>(),
  action: column<Schema<'BulkJobAction'>>(),
  dry_run: column<boolean>(),
  rows_total: column<number>(),
  rows_done: column<number>(),
  progress: column<Partial<Record<JobResource, Progress>>>(),
  failures: column<Failures>(),
  /** Errors in bulk_job_errors, which are limited. */
  errors_kept: column<number>(),
  /** The number of the chunk to process next. */
  next_chunk: column<number>(),
  /** How often the next chunk has failed as a whole. */
  attempts: column<number>(),
  actor_type: column<ActorColumns['actor_type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  request_id: column<string>(),
  started_at: column<string | null>(),
  finished_at: column<string | null>(),
  failure_reason: column<string | null>(),
};

export type BulkJobRow = typeof bulkJob;
export const bulkJobColumns = columnsOf(bulkJob);

const bulkJobError = {
  id: column<string>(),
  /** The row's place in the job. */
  row: column<number>(),
  resource: column<JobResource>(),
  resource_id: column<string | null>(),
  field: column<string | null>(),
  code: column<string>(),
  message: column<string>(),
};

export type BulkJobErrorRow = typeof bulkJobError;
export const bulkJobErrorColumns = columnsOf(bulkJobError);

/** Rows that a job processes in one transaction. */
export interface Chunk {
  resource: JobResource;
  /** The place of the first one in the job. */
  first_row: number;
  /** UUIDs. */
  ids: string[];
}

declare module 'knex/types/tables.js' {
  interface Tables {
    bulk_jobs: BulkJobRow;
    bulk_job_chunks: Chunk & { job_id: string; number: number };
    bulk_job_errors: BulkJobErrorRow & { job_id: string };
  }
}
