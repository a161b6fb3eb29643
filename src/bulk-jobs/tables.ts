import { column } from '../db/tables.ts';
import type { JobErrorRow, JobRow } from '../jobs/tables.ts';
import type { Schema } from '../operation.ts';

export type JobResource = Schema<'BulkJobResource'>;
export type JobCounts = Schema<'BulkJobCounts'>;

/** The rows of one resource. */
export interface Progress {
  total: number;
  done: number;
  counts: JobCounts;
}

export interface BulkJobOptions {
  /** Without personal data. */
  filter: Schema<'BulkJobFilter'>;
  action: Schema<'BulkJobAction'>;
  /** Where a null stands for a value that is not kept. */
  redacted: string[];
}

export type BulkJobRow = Omit<JobRow, 'resources'> & {
  kind: Schema<'BulkJobKind'>;
  status: Schema<'JobStatus'>;
  options: BulkJobOptions;
  counts: Partial<Record<JobResource, Progress>>;
  resources: JobResource[];
};

export type BulkJobErrorRow = JobErrorRow & { resource: JobResource };

/** Rows that a job processes in one transaction. */
export const chunk = {
  resource: column<JobResource>(),
  /** The place of the first one in the job. */
  first_row: column<number>(),
  /** UUIDs. */
  ids: column<string[]>(),
};

export type Chunk = typeof chunk;

declare module 'knex/types/tables.js' {
  interface Tables {
    bulk_job_chunks: Chunk & { job_id: string; number: number };
  }
}
