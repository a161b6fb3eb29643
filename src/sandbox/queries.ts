import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isLockTimeout } from '../db/errors.ts';
import { run } from '../db/statement.ts';
import type { ContactRow, ContentRow, LeadRow, LeadStatusChangeRow, UserRow } from '../db/tables.ts';

/** What is filled and emptied; the history of the leads goes with them. */
export const kinds = ['users', 'contacts', 'content', 'leads'] as const;

export type Counts = Record<(typeof kinds)[number], number>;

/** A whole row; PostgreSQL makes the digest of the body. */
export type NewContentRow = Omit<ContentRow, 'body_sha256'>;

interface Rows {
  users: UserRow;
  contacts: ContactRow;
  content: NewContentRow;
  leads: LeadRow;
  lead_status_changes: LeadStatusChangeRow;
}

/** Inserts the rows, which have the same columns, with one statement. */
export async function insertRows<Table extends keyof Rows>(
  db: Knex,
  table: Table,
  rows: readonly Rows[Table][],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first).join(', ');
  await run(db, {
    name: `seed_${table}`,
    sql: `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, ?::json)`,
    bindings: [JSON.stringify(rows)],
  });
}

/** An event of what was made up; it lies in the past, and no webhook is sent it. */
export interface PastEvent {
  type: string;
  occurred_at: Date;
  resource_id: string;
  object: object;
  changes: object;
}

/** Inserts the events in this order, as the service's own. */
export async function insertPastEvents(
  db: Knex,
  requestId: string,
  events: readonly PastEvent[],
): Promise<void> {
  await run(db, {
    name: 'seed_events',
    sql: `insert into events (type, occurred_at, request_id, actor_type, resource_id, object, changes)
      select type, occurred_at, ?, 'system', resource_id, object, changes
      from json_to_recordset(?::json)
        as event(type text, occurred_at timestamptz, resource_id uuid, object json, changes json)`,
    bindings: [requestId, JSON.stringify(events)],
  });
}

const TRUNCATED =
  'contacts, leads, lead_status_changes, events, webhook_deliveries, webhook_attempts, inbound_deliveries';
/** Shorter than the second after which PostgreSQL looks for deadlocks, so that none comes of waiting. */
const LOCK_TIMEOUT = '200ms';
const LOCK_TRIES = 40;
const PAUSE = 25;

/** Keeps everybody else from the tables until the transaction ends. Throws when they are in use for too long. */
export async function lockTables(trx: Knex): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A savepoint, so that the tables that were had are let go when another one is not.
      await trx.transaction(async (savepoint) => {
        await savepoint.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
        await savepoint.raw(
          `lock table ${TRUNCATED}, content, users, inbound_hooks in access exclusive mode`,
        );
      });
      return;
    } catch (error) {
      if (attempt === LOCK_TRIES || !isLockTimeout(error)) throw error;
      await sleep(PAUSE);
    }
  }
}

export async function countRows(db: Knex): Promise<Counts> {
  const counted = kinds.map((kind) => `(select count(*)::int from ${kind}) as ${kind}`);
  const [counts] = await run<Counts>(db, { sql: `select ${counted.join(', ')}`, bindings: [] });
  if (counts === undefined) throw new Error('A count returned no row.');
  return counts;
}

export async function truncate(db: Knex): Promise<void> {
  // Inbound hooks stay, so what they point at can't be truncated.
  await db.raw(`
    truncate ${TRUNCATED};
    update inbound_hooks set assigned_user_id = null, content_id = null,
      version = version + 1, updated_at = statement_timestamp()
    where assigned_user_id is not null or content_id is not null;
    delete from content;
    delete from users`);
  // Whoever follows the log learns that there is a gap.
  await db.raw('update event_retention set dropped_through = (select last_value from event_positions)');
}
