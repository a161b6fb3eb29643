import type { BulkJobRow } from '../bulk-jobs/tables.ts';
import type { Db } from '../db/db.ts';
import { lastPart, seedPart } from './seed.ts';

/** Adds the next part of a job's data. Returns the number of rows of each kind, and whether it was the last part. */
export async function seedChunk(trx: Db, job: BulkJobRow) {
  const { id, action, request_id: requestId, created_at, next_chunk: part } = job;
  const { seed = { seed: 0, leads: 0 } } = action;
  const added = await seedPart(trx, { ...seed, id, requestId, now: Date.parse(created_at) }, part);
  return { added, isLast: part >= lastPart(seed) };
}
