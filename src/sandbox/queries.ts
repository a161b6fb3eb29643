import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isLockTimeout } from '../db/errors.ts';
import { run } from '../db/statement.ts';
import type { ContactRow, ContentRow, LeadRow, LeadStatusChangeRow, UserRow } from '../db/tables.ts';

/** The resources that are seeded and reset, together with the history of the leads. */
const kinds = ['users', 'contacts', 'content', 'leads'] as const;

export type Counts = Record<(typeof kinds)[number], number>;

/** A row without `body_sha256`, which PostgreSQL computes. */
export type NewContentRow = Omit<ContentRow, 'body_sha256'>;

interface Rows {
  users: UserRow;
  contacts: ContactRow;
  content: NewContentRow;
  leads: LeadRow;
  lead_status_changes: LeadStatusChangeRow;
}

/** Inserts the rows with one statement. All rows must have the same columns. */
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

/** An event of the generated history. It is not sent to any webhook. */
export interface PastEvent {
  type: string;
  occurred_at: Date;
  resource_id: string;
  object: object;
  changes: object;
}

/** Inserts the events in this order, with the actor `system`. */
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
/** Shorter than deadlock_timeout (1 s), so that waiting here never ends in a deadlock error. */
const LOCK_TIMEOUT = '200ms';
const MAX_LOCK_ATTEMPTS = 40;
/** Milliseconds. */
const LOCK_RETRY_DELAY = 25;

/** Locks the tables exclusively until the transaction ends. Throws when they stay in use for too long. */
export async function lockTables(trx: Knex): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A savepoint, so that a timeout on one table releases the locks already acquired.
      await trx.transaction(async (savepoint) => {
        await savepoint.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
        await savepoint.raw(
          `lock table ${TRUNCATED}, content, users, inbound_hooks in access exclusive mode`,
        );
      });
      return;
    } catch (error) {
      if (attempt === MAX_LOCK_ATTEMPTS || !isLockTimeout(error)) throw error;
      await sleep(LOCK_RETRY_DELAY);
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
  // Inbound hooks stay, so the tables that they reference can't be truncated.
  await db.raw(`
    truncate ${TRUNCATED};
    update inbound_hooks set assigned_user_id = null, content_id = null,
      version = version + 1, updated_at = statement_timestamp()
    where assigned_user_id is not null or content_id is not null;
    delete from content;
    delete from users`);
  // Marks a gap, so that clients that follow the event log notice it.
  await db.raw('update event_retention set dropped_through = (select last_value from event_positions)');
}
