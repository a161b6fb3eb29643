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
import type { RowValues } from '../db/row-statements.ts';
import { leads, type Origin, type StoredOrigin, withFirstChange } from './queries.ts';
import type { LeadRow } from './tables.ts';

const matching = prepareMatching(leads);

/** The leads with one of these ids or unique values, optionally locked. */
export async function findLeads(db: Db, wanted: Wanted, lock?: RowLock): Promise<LeadRow[]> {
  return db.run(matching(wanted, lock));
}

const insertion = prepareInsertMany<LeadRow, StoredOrigin>(leads, withFirstChange);

/** Inserts leads, each with its first status change. Returns those inserted. */
export async function insertLeads(
  rows: readonly RowValues<LeadRow>[],
  { db, actor, requestId }: Origin & { db: Db },
): Promise<LeadRow[]> {
  return runAll(db, insertion(rows, { actor_id: actor.id, request_id: requestId }));
}

const update = prepareUpdateMany(leads);

const insertChanges = prepare<StoredOrigin & { changes: string }, never>('insert_status_changes', ($) =>
  knex.raw(
    `insert into lead_status_changes (lead_id, from_status, to_status, changed_at, actor_id, request_id)
    select lead_id, from_status, to_status, changed_at, ?::uuid, ?
    from json_populate_recordset(null::lead_status_changes, ?::json)`,
    [$('actor_id'), $('request_id'), $('changes')],
  ),
);

/** Updates locked leads and their status history. */
export async function updateLeads(
  changes: readonly Change<LeadRow>[],
  { db, actor, requestId }: Origin & { db: Db },
): Promise<LeadRow[]> {
  const rows = await runAll(db, update(changes));
  const before = new Map(changes.map(({ before }) => [before.id, before]));
  const moved = rows.flatMap(({ id, status, status_changed_at }) => {
    const from = before.get(id)?.status;
    return from === status
      ? []
      : [{ lead_id: id, from_status: from, to_status: status, changed_at: status_changed_at }];
  });
  if (moved.length > 0) {
    await db.run(
      insertChanges({ changes: JSON.stringify(moved), actor_id: actor.id, request_id: requestId }),
    );
  }
  return rows;
}
