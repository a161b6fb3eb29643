import type { Db } from '../db/knex.ts';
import { run } from '../db/statement.ts';

/** Changes in one transaction: so few that nothing waits long for it. */
const BATCH = 10_000;

/** Adds up what the triggers have noted, so that whoever asks for the sum has little to add. */
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

/** The bytes that the payloads of what came in take. */
export async function inboundStorageUsed(db: Db): Promise<number> {
  const [row] = await run<{ used: string }>(db, {
    name: 'inbound_storage_used',
    sql: 'select inbound_storage_used() as used',
    bindings: [],
  });
  return Number(row?.used);
}

/** Drops up to `limit` of the oldest payloads that were taken in; tells how many there were. What was rejected stays. */
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
