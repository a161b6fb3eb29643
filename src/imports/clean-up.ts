import type { CleanUp } from '../jobs/end-job.ts';
import { deleteChunks } from './queries.ts';
import type { ImportRow } from './tables.ts';

/** Deletes the rows that an import has not reached, and all those of a dry run. Rejected rows can still be corrected. */
export const cleanUpImport: CleanUp<ImportRow> = async (trx, { id, dry_run, next_chunk }, status) => {
  if (status !== 'completed') await deleteChunks(trx, id, status === 'cancelled' && dry_run ? 0 : next_chunk);
  return {};
};
