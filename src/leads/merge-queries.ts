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
    `update lead_status_changes as change
    set lead_id = ?::uuid, merged_from = coalesce(merged_from, lead_id),
      -- Of two open cycles, one stays.
      sales_cycle_id = coalesce(
        (select other.sales_cycle_id from sales_cycles as left_behind, leads as other
          where left_behind.id = change.sales_cycle_id and left_behind.lead_id = ?::uuid and other.id = ?::uuid),
        change.sales_cycle_id
      )
    where lead_id = ?::uuid`,
    [$('to'), $('from'), $('to'), $('from')],
  ),
);

/** Moves the status changes of a lead to another one. Each remembers the lead that it happened to. */
export async function moveStatusChanges(db: Db, move: Move): Promise<void> {
  await db.run(statusChanges(move));
}

const salesCycles = prepare<Move, never>('move_sales_cycles', ($) =>
  knex.raw(
    `update sales_cycles set lead_id = ?::uuid, version = version + 1, updated_at = change_time()
    where lead_id = ?::uuid and (
      closed_at is not null
      or not exists (select from sales_cycles as own where own.lead_id = ?::uuid and own.closed_at is null)
    )`,
    [$('to'), $('from'), $('to')],
  ),
);

/** Moves the sales cycles of a lead to another one, except for an open one if the other one has one. */
export async function moveSalesCycles(db: Db, move: Move): Promise<void> {
  await db.run(salesCycles(move));
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
