import type { Db } from './db.ts';
import { StandbyError } from './pool/connection.ts';
import { knex, prepare } from './query.ts';

/** SQL for the time of a change, the same throughout a statement. Holds the change horizon until the transaction ends. */
export const changeTime = knex.raw('change_time()');

const horizon = prepare<object, { horizon: string; is_standby: boolean }>('change_horizon', () =>
  knex.select({ horizon: knex.raw('change_horizon()'), is_standby: knex.raw('pg_is_in_recovery()') }),
);

/**
 * The start of the oldest transaction that is still writing, or the current time: no row will appear with an earlier
 * updated_at any more. Rows that a later statement reads are complete up to this moment.
 */
export async function readChangeHorizon(db: Db): Promise<string> {
  const [row] = await db.run(horizon({}));
  // A standby doesn't see the primary's locks.
  if (row === undefined || row.is_standby) throw new StandbyError();
  return row.horizon;
}
