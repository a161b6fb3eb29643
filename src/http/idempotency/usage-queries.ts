import type { Db } from '../../db/db.ts';
import { sql } from '../../db/query.ts';

/** Answers are kept for 24 hours, counted by the hour in which they were stored. */
export const USAGE_KEPT = '25 hours';

/** Adds to the bytes that clients (UUIDs) have stored. */
export async function addUsage(db: Db, usage: ReadonlyMap<string, number>): Promise<void> {
  if (usage.size === 0) return;
  // Sorted, so that two processes don't deadlock.
  const clients = [...usage.keys()].sort();
  const bytes = clients.map((client) => usage.get(client));
  await db.run(sql`
    insert into idempotency_usage (client_id, hour, bytes)
    select client_id, date_trunc('hour', now()), bytes
    from unnest(${clients}::uuid[], ${bytes}::bigint[]) as added(client_id, bytes)
    on conflict (client_id, hour) do update set bytes = idempotency_usage.bytes + excluded.bytes`);
}

/** The bytes of the stored answers, by client (UUID). */
export async function readUsage(db: Db): Promise<Map<string, number>> {
  const rows = await db.run(
    sql<{ client_id: string; bytes: string }>`
      select client_id, sum(bytes) as bytes from idempotency_usage where hour > now() - ${USAGE_KEPT}::interval group by client_id`,
  );
  return new Map(rows.map(({ client_id, bytes }) => [client_id, Number(bytes)]));
}
