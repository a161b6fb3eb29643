import type { Db } from './db.ts';
import { run } from './statement.ts';

/** A table of deliveries. Each belongs to a row of `owners`, whose id is in the column `owner`. */
export interface DeliveryLog {
  table: string;
  owner: string;
  owners: string;
}

/** Deletes up to `limit` deliveries older than 30 days. Returns the number deleted. */
export async function deleteOld(db: Db, { table }: DeliveryLog, limit: number): Promise<number> {
  return deleteRows(db, table, limit, `id < uuid_bound(now() - interval '30 days') order by id`);
}

/**
 * Deletes up to `limit` deliveries of deleted owners. Returns the number deleted. Skips through the index from one owner
 * to the next instead of scanning it.
 */
export async function deleteOrphaned(
  db: Db,
  { table, owner, owners }: DeliveryLog,
  limit: number,
): Promise<number> {
  const next = (after: string) => `(select ${owner} from ${table} ${after} order by ${owner} limit 1)`;
  return deleteRows(
    db,
    table,
    limit,
    `${owner} = any (array (
      with recursive known as (
        select ${next('')} as ${owner}
        union all
        select ${next(`where ${owner} > known.${owner}`)} from known where ${owner} is not null
      )
      select ${owner} from known where not exists (select from ${owners} where id = ${owner})
    ))`,
  );
}

async function deleteRows(db: Db, table: string, limit: number, which: string): Promise<number> {
  const deleted = await run(db, {
    sql: `delete from ${table} where id in (
      select id from ${table} where ${which} limit ? for update skip locked) returning id`,
    bindings: [limit],
  });
  return deleted.length;
}
