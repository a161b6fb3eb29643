import type { Db } from '../db/db.ts';
import {
  type Change,
  prepareInsertMany,
  prepareMatching,
  prepareUpdateMany,
  runAll,
  type Wanted,
} from '../db/many-rows.ts';
import { knex, prepare } from '../db/query.ts';
import type { RowLock } from '../db/resource.ts';
import { NOW, type RowValues } from '../db/row-statements.ts';
import { storableJson } from '../values/text.ts';
import { historyColumnNames, historyOf } from './past-times.ts';
import { leads, type Origin, type StoredOrigin, storedOrigin, withFirstChange } from './queries.ts';
import type { LeadRow } from './tables.ts';

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
  const addedPast = await runAll(db, insertionOfPast(past));
  await addChanges(addedPast.flatMap(historyOf), origin);
  return [...added, ...addedPast];
}

const update = prepareUpdateMany(leads);

const insertChanges = prepare<StoredOrigin & { changes: string }, never>('insert_status_changes', ($) =>
  knex.raw(
    `insert into lead_status_changes
      (lead_id, from_status, to_status, changed_at, seconds, actor_type, actor_id, actor_user_id, request_id)
    select lead_id, from_status, to_status, changed_at, seconds, ?, ?::uuid, ?::uuid, ?
    from json_populate_recordset(null::lead_status_changes, ?::json)`,
    [$('actor_type'), $('actor_id'), $('actor_user_id'), $('request_id'), $('changes')],
  ),
);

async function addChanges(changes: readonly object[], origin: Origin & { db: Db }): Promise<void> {
  if (changes.length === 0) return;
  await origin.db.run(insertChanges({ changes: storableJson(changes), ...storedOrigin(origin) }));
}

/** Updates locked leads, and adds to their status history. */
export async function updateLeads(
  changes: readonly Change<LeadRow>[],
  origin: Origin & { db: Db },
): Promise<LeadRow[]> {
  const { db } = origin;
  const rows = await runAll(db, update(changes));
  const statusOf = new Map(changes.map(({ before }) => [before.id, before.status]));
  const moved = rows.flatMap(({ id, status, status_changed_at }) => {
    const from = statusOf.get(id);
    return from === status
      ? []
      : [{ lead_id: id, from_status: from, to_status: status, changed_at: status_changed_at }];
  });
  await addChanges(moved, origin);
  return rows;
}

/** Whether the values tell a lead's history, unlike those that a change of its status causes. */
function hasHistory(values: RowValues<LeadRow>): boolean {
  return historyColumnNames.some((column) => values[column] !== undefined && values[column] !== NOW);
}
