import type { Db } from '../db/db.ts';
import {
  type Change,
  prepareInsertMany,
  prepareMatching,
  prepareUpdateMany,
  runAll,
  type Wanted,
} from '../db/many-rows.ts';
import { knex, names, prepare } from '../db/query.ts';
import type { RowLock } from '../db/resource.ts';
import type { RowValues } from '../db/row-statements.ts';
import { newUuid } from '../values/id.ts';
import { storableJson } from '../values/text.ts';
import { historyOf, type PastLead } from './past-times.ts';
import { leads, type Origin, type StoredOrigin, storedOrigin, withFirstChange } from './queries.ts';
import { type LeadRow, leadColumns } from './tables.ts';

const matching = prepareMatching(leads);

/** The leads with one of these ids or unique values, optionally locked. */
export async function findLeads(db: Db, wanted: Wanted, lock?: RowLock): Promise<LeadRow[]> {
  return db.run(matching(wanted, lock));
}

const insertion = prepareInsertMany<LeadRow, StoredOrigin>(leads, withFirstChange);

const insertionOfPast = prepareInsertMany(leads, undefined, 'insert_many_past_leads');

/** Inserts leads, each with its first status change, or with those that its times tell. Returns those inserted. */
export async function insertLeads(
  rows: readonly RowValues<LeadRow>[],
  origin: Origin & { db: Db },
): Promise<LeadRow[]> {
  const { db } = origin;
  const [past, present] = [rows.filter(hasHistory), rows.filter((row) => !hasHistory(row))];
  const added = await runAll(db, insertion(present, storedOrigin(origin)));
  if (past.length === 0) return added;
  const addedPast = await runAll(db, insertionOfPast(past.map(withoutFirstTimes)));
  const cycles = new Map(addedPast.map(({ id, sales_cycle_id }) => [id, sales_cycle_id]));
  const changes = past.flatMap((row) => historyOf(row as PastLead));
  await addChanges(
    changes.flatMap((change) => {
      const sales_cycle_id = cycles.get(change.lead_id);
      return sales_cycle_id === undefined ? [] : [{ ...change, sales_cycle_id }];
    }),
    origin,
  );
  const ids = [...cycles.keys()];
  await db.run(dividing({ ids }));
  return [...added, ...(await storeFirstTimes(db, ids))];
}

const dividing = prepare<{ ids: string[] }, never>('divide_into_sales_cycles', ($) =>
  knex.raw('select divide_into_sales_cycles(?::uuid[])', [$('ids')]),
);

const storing = prepare<{ ids: string[] }, LeadRow>('store_first_times', ($) =>
  knex.raw(
    `update leads
    set new_at = first.new_at, contacted_at = first.contacted_at, qualified_at = first.qualified_at, won_at = first.won_at,
      lost_at = first.lost_at
    from first_times(?::uuid[]) as first where leads.id = first.lead_id
    returning ?`,
    [$('ids'), names(leadColumns.map((column) => `leads.${column}`))],
  ),
);

/** Stores when leads (UUIDs) first reached each status, by their status changes. Returns the leads. */
async function storeFirstTimes(db: Db, ids: string[]): Promise<LeadRow[]> {
  return db.run(storing({ ids }));
}

const update = prepareUpdateMany(leads);

const insertChanges = prepare<StoredOrigin & { changes: string }, never>('insert_status_changes', ($) =>
  knex.raw(
    `insert into lead_status_changes
      (id, lead_id, from_status, to_status, changed_at, sales_cycle_id, actor_type, actor_id, actor_user_id, request_id)
    select id, lead_id, from_status, to_status, changed_at, sales_cycle_id, ?, ?::uuid, ?::uuid, ?
    from json_populate_recordset(null::lead_status_changes, ?::json)`,
    [$('actor_type'), $('actor_id'), $('actor_user_id'), $('request_id'), $('changes')],
  ),
);

/** The ids keep the order of changes that happened at once. */
async function addChanges(changes: readonly object[], origin: Origin & { db: Db }): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => ({ id: newUuid(), ...change }));
  await origin.db.run(insertChanges({ changes: storableJson(rows), ...storedOrigin(origin) }));
}

/** Updates locked leads, and adds to their status history. */
export async function updateLeads(
  changes: readonly Change<LeadRow>[],
  origin: Origin & { db: Db },
): Promise<LeadRow[]> {
  const { db } = origin;
  const rows = await runAll(db, update(changes));
  const statusOf = new Map(changes.map(({ before }) => [before.id, before.status]));
  const moved = rows.flatMap(({ id, status, status_changed_at, sales_cycle_id }) => {
    const from = statusOf.get(id);
    return from === status
      ? []
      : [
          {
            lead_id: id,
            from_status: from,
            to_status: status,
            changed_at: status_changed_at,
            sales_cycle_id,
          },
        ];
  });
  await addChanges(moved, origin);
  return rows;
}

/** Whether the values tell a lead's history, unlike those that a change of its status causes. */
function hasHistory({ created_at }: RowValues<LeadRow>): boolean {
  return typeof created_at === 'string';
}

/** The status changes tell them. */
function withoutFirstTimes({ contacted_at, qualified_at, won_at, lost_at, ...row }: RowValues<LeadRow>) {
  return row;
}
