import type { Knex } from 'knex';
import type { Db } from './db.ts';
import { knex } from './query.ts';

/** A table of deliveries. Each belongs to a row of the table `owners`; the column `owner` has its id. */
export interface DeliveryLog {
  table: string;
  owner: string;
  owners: string;
}

/**
 * Deletes up to `limit` deliveries of deleted owners. Returns the number deleted. Skips from owner to owner in the index
 * instead of scanning it.
 */
export async function deleteOrphaned(
  db: Db,
  { table, owner, owners }: DeliveryLog,
  limit: number,
): Promise<number> {
  const first = knex(table).select(owner).orderBy(owner).limit(1);
  const next = first.clone().where(owner, '>', knex.ref(`known.${owner}`));
  const orphaned = knex.raw(
    `with recursive known as (select ? as ?? union all select ? from known where ?? is not null)
      select ?? from known where not exists (select from ?? where id = ??)`,
    [first, owner, next, owner, owner, owners, owner],
  );
  return deleteDeliveries(
    db,
    table,
    knex(table).where(owner, knex.raw('any (array (?))', [orphaned])),
    limit,
  );
}

async function deleteDeliveries(
  db: Db,
  table: string,
  rows: Knex.QueryBuilder,
  limit: number,
): Promise<number> {
  const chosen = rows.select('id').limit(limit).forUpdate().skipLocked();
  const deleted = await db.run(knex(table).whereIn('id', chosen).delete().returning('id'));
  return deleted.length;
}
