import { type Db, one } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import type { LeadRow } from './tables.ts';

/** UUIDs of leads. */
interface Move {
  from: string;
  to: string;
}

const statusChanges = prepare<Move, never>('move_status_changes', ($) =>
  knex.raw(
    `update lead_status_changes set lead_id = ?::uuid, merged_from = coalesce(merged_from, lead_id)
    where lead_id = ?::uuid`,
    [$('to'), $('from')],
  ),
);

/** Moves the status changes of a lead to another one. Each remembers the lead that it happened to. */
export async function moveStatusChanges(db: Db, move: Move): Promise<void> {
  await db.run(statusChanges(move));
}

const deliveries = prepare<Move, never>('move_inbound_deliveries', ($) =>
  knex.raw(
    `update inbound_deliveries set lead_id = ?::uuid, version = version + 1, updated_at = statement_timestamp()
    where id in (select id from inbound_deliveries where lead_id = ?::uuid for no key update skip locked)`,
    [$('to'), $('from')],
  ),
);

/** Moves the inbound deliveries of a lead to another one. One that is being replayed gets its lead from that. */
export async function moveDeliveries(db: Db, move: Move): Promise<void> {
  await db.run(deliveries(move));
}

const firstTimes = prepare<{ id: string }, FirstTimes>('first_times', ($) =>
  knex.raw('select new_at, contacted_at, qualified_at, won_at, lost_at from first_times(array[?::uuid])', [
    $('id'),
  ]),
);

type FirstTimes = Pick<LeadRow, 'new_at' | 'contacted_at' | 'qualified_at' | 'won_at' | 'lost_at'>;

/** When a lead (UUID) first reached each status, by its status changes. */
export async function findFirstTimes(db: Db, id: string): Promise<FirstTimes> {
  return one(db, firstTimes({ id }));
}
