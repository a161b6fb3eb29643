import type { Db } from '../db/db.ts';
import { deleteRows, lockRow } from '../db/resource.ts';
import type { CleanUp } from '../jobs/end-job.ts';
import { metadataFields } from '../metadata/queries.ts';
import type { MetadataFieldRow } from '../metadata/tables.ts';
import { toUuid } from '../values/id.ts';
import type { BulkJobRow } from './tables.ts';

/** Comes before the id of any row (UUID). */
export const FIRST = '00000000-0000-0000-0000-000000000000';

/** The field that a job converts, unless it was deleted. */
export function lockField(trx: Db, { options }: BulkJobRow): Promise<MetadataFieldRow | undefined> {
  const id = toUuid('field', options.action.declare?.field_id ?? '');
  return lockRow(trx, metadataFields, id ?? FIRST, 'no key update');
}

/** Deletes a declaration whose job ends early. Nothing has been converted until all values fit. */
export const takeBack: CleanUp<BulkJobRow> = async (trx, job, status) => {
  const field = status === 'completed' ? undefined : await lockField(trx, job);
  if (field !== undefined && !field.is_typed) await deleteRows(trx, metadataFields, [field.id]);
  return {};
};
