import { column, columnsOf } from '../db/tables.ts';
import type { Failures } from '../jobs/failures.ts';
import { jobColumns } from '../jobs/tables.ts';
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
  ...jobColumns,
  kind: column<Schema<'BulkJobKind'>>(),
  status: column<Schema<'BulkJobStatus'>>(),
  resources: column<JobResource[]>(),
  /** Without personal data. */
  filter: column<Record<string, string | null> | null>(),
  action: column<Schema<'BulkJobAction'>>(),
  progress: column<Partial<Record<JobResource, Progress>>>(),
  failures: column<Failures>(),
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
