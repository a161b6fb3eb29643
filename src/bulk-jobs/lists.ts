import { condition } from '../db/list/condition.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { jobErrors } from '../jobs/queries.ts';
import type { Input } from '../operation.ts';
import { listAll, listRowsOf } from '../resource/read.ts';
import { readableResources, requireToRead, toBulkJob, toBulkJobError } from './job.ts';
import { bulkJobs, jobFilters, listedJobs } from './queries.ts';

export const listBulkJobs = listAll(
  listedJobs,
  (query: Input<'listBulkJobs'>['query'], { principal }) => [
    condition(`kind not in ('import', 'replay')`),
    condition('resources <@ ?::text[]', readableResources(principal)),
    ...conditionsOf(jobFilters, query),
  ],
  toBulkJob,
);

export const listBulkJobErrors = listRowsOf(bulkJobs, 'job_id', jobErrors, () => [], {
  check: requireToRead,
  toData: () => toBulkJobError,
});
