import type { Db } from '../db/db.ts';
import { run } from '../db/statement.ts';

/** Rows folded per transaction. Small, so that nothing waits long for its locks. */
const BATCH = 10_000;

/** Folds the changes that the triggers recorded into the total, so that reading it stays cheap. */
export async function foldInboundStorage(db: Db): Promise<void> {
  for (let folded = BATCH; folded === BATCH; ) {
    const [row] = await run<{ folded: number }>(db, {
      name: 'fold_inbound_storage',
      sql: 'select fold_inbound_storage(?) as folded',
      bindings: [BATCH],
    });
    folded = row?.folded ?? 0;
  }
}

/** Bytes used by the payloads of inbound deliveries. */
export async function inboundStorageUsed(db: Db): Promise<number> {
  const [row] = await run<{ used: string }>(db, {
    name: 'inbound_storage_used',
    sql: 'select inbound_storage_used() as used',
    bindings: [],
  });
  return Number(row?.used);
}

/** Drops up to `limit` of the oldest payloads, except those of rejected deliveries. Returns the number dropped. */
export async function dropSettledPayloads(db: Db, limit: number): Promise<number> {
  const dropped = await run(db, {
    name: 'drop_settled_payloads',
    sql: `update inbound_deliveries
      set payload = null, emails = '{}', version = version + 1, updated_at = statement_timestamp()
      where id in (
        select id from inbound_deliveries where payload_bytes > 0 and status <> 'rejected'
        order by id limit ? for update skip locked
      ) returning id`,
    bindings: [limit],
  });
  return dropped.length;
}
