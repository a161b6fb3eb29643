import type { Knex } from 'knex';
import { type Db, first } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';

/**
 * Returns a function that locks the next job of a table, or the one with this id (UUID). Undefined if there is none, or if
 * another process has locked it. Each client's jobs run one after another. The client whose turn was longest ago comes next,
 * so that nobody waits for another client's jobs longer than a chunk takes, however many there are.
 */
export function createLockNext<Row>(table: 'imports' | 'bulk_jobs', columns: readonly string[]) {
  const next = prepare<{ id: string | undefined }, Row>(`lock_next_of_${table}`, ($) => {
    const jobs: Knex.QueryBuilder = knex(table);
    return (
      jobs
        .whereRaw(`status in ('queued', 'running')`)
        .whereRaw('id = coalesce(?::uuid, id)', [$('id')])
        .whereRaw(
          `id in (select distinct on (actor_id) id from ${table} where status in ('queued', 'running')
          order by actor_id, created_at, id)`,
        )
        // Its last chunk was that of this job or of one that has ended since.
        .orderByRaw(
          `greatest(updated_at, (select max(finished_at) from ${table} ended where ended.actor_id = ${table}.actor_id)), id`,
        )
        .limit(1)
        .select(columns)
        .forNoKeyUpdate()
        .skipLocked()
    );
  });
  return (trx: Db, id?: string): Promise<Row | undefined> => first(trx, next({ id }));
}
