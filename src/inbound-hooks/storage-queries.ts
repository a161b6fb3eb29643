import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';

/** Rows folded per transaction. Small, so that nothing waits long for its locks. */
const BATCH = 10_000;

/** Folds the changes that the triggers recorded into the total, so that reading it stays cheap. */
export async function foldInboundStorage(db: Db): Promise<void> {
  for (let folded = BATCH; folded === BATCH; ) {
    const fold = knex.raw('select fold_inbound_storage(?) as folded', [BATCH]);
    const [row] = await db.run<{ folded: number }>(fold);
    folded = row?.folded ?? 0;
  }
}

const storageUsed = prepare<object, { used: string }>('inbound_storage_used', () =>
  knex.raw('select inbound_storage_used() as used'),
);

/** Bytes used by the payloads of inbound deliveries. */
export async function inboundStorageUsed(db: Db): Promise<number> {
  const [row] = await db.run(storageUsed({}));
  return Number(row?.used);
}

/** Drops up to `limit` of the oldest payloads, except those of rejected deliveries. Returns the number dropped. */
export async function dropSettledPayloads(db: Db, limit: number): Promise<number> {
  const oldest = knex('inbound_deliveries')
    .where('payload_bytes', '>', 0)
    .whereNot('status', 'rejected')
    .orderBy('id')
    .select('id')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const dropped = await db.run(
    knex('inbound_deliveries')
      .whereIn('id', oldest)
      .update({
        body: null,
        content_type: null,
        emails: [],
        version: knex.raw('version + 1'),
        updated_at: knex.raw('statement_timestamp()'),
      })
      .returning('id'),
  );
  return dropped.length;
}
