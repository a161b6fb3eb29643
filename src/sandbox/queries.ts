import { changeTime } from '../db/change-horizon.ts';
import { type Db, one } from '../db/db.ts';
import { requireEnvironment } from '../db/label.ts';
import { knex } from '../db/query.ts';
import { storableJson } from '../values/text.ts';

/** The resources that are seeded and reset, together with the history of the leads. */
const kinds = ['users', 'contacts', 'content', 'leads'] as const;

export type Counts = Record<(typeof kinds)[number], number>;

/** An event of the generated history. It is not sent to any webhook. */
export interface PastEvent {
  type: string;
  occurred_at: string;
  resource_id: string;
  object: object;
  changes: object;
}

/** Inserts the events in this order, with the actor `system`. */
export async function insertPastEvents(
  db: Db,
  requestId: string,
  events: readonly PastEvent[],
): Promise<void> {
  await db.run(
    knex.raw(
      `insert into events (type, occurred_at, request_id, actor_type, resource_id, object, changes)
        select type, occurred_at, ?, 'system', resource_id, object, changes
        from json_to_recordset(?::json)
          as event(type text, occurred_at timestamptz, resource_id uuid, object json, changes json)`,
      [requestId, storableJson(events)],
    ),
  );
}

/** Dates leads (UUIDs) like their last change of status. */
export async function dateLeads(db: Db, ids: string[]): Promise<void> {
  await db.run(knex.raw('update leads set updated_at = status_changed_at where id = any(?::uuid[])', [ids]));
}

/** Whether there is a user, content or a lead with one of these unique values. */
export async function isSeeded(
  db: Db,
  { emails, slugs, externalIds }: Record<'emails' | 'slugs' | 'externalIds', string[]>,
): Promise<boolean> {
  const { is_seeded } = await one<{ is_seeded: boolean }>(
    db,
    knex.raw(
      `select exists (select from users where lower(email) = any(?::text[]))
         or exists (select from content where slug = any(?::text[]))
         or exists (select from leads where external_id = any(?::text[])) as is_seeded`,
      [emails, slugs, externalIds],
    ),
  );
  return is_seeded;
}

const truncated = [
  'notes',
  'contacts',
  'leads',
  'lead_status_changes',
  'sales_cycles',
  'events',
  'webhook_deliveries',
  'webhook_attempts',
  'inbound_deliveries',
  'import_chunks',
  'import_rows',
  'import_keys',
  'import_erasures',
  'bulk_job_chunks',
  'merges',
];
/** Deletes all users, contacts, content and leads. Returns the number of each. Must run in a transaction. */
export async function reset(trx: Db): Promise<Counts> {
  await requireEnvironment(trx, 'sandbox');
  await lockTables(trx);
  const counts = await countTable(trx);
  await truncate(trx);
  return counts;
}

/** Locks the tables exclusively until the transaction ends, which is repeated if it and others wait for each other. */
async function lockTables(trx: Db): Promise<void> {
  const others = ['lead_emails', 'contact_emails', 'jobs', 'content', 'users', 'inbound_hooks'];
  const tables = [...truncated, ...others];
  await trx.run(knex.raw('lock table ?? in access exclusive mode', [tables]));
}

async function countTable(db: Db): Promise<Counts> {
  const counted = kinds.map((kind) => knex(kind).select(knex.raw('count(*)::int')).as(kind));
  return one<Counts>(db, knex.select(counted));
}

async function truncate(db: Db): Promise<void> {
  await db.run(knex.raw('truncate ??', [truncated]));
  await db.run(knex('jobs').whereRaw(`status not in ('queued', 'running')`).delete());
  // Somebody may wait for these.
  await db.run(
    knex('jobs').update({
      status: 'cancelled',
      finished_at: changeTime,
      options: knex.raw(
        `case kind when 'update' then '{"filter": null, "action": {"update": {}}, "redacted": []}' else options end`,
      ),
      version: knex.raw('version + 1'),
      updated_at: changeTime,
    } as object),
  );
  // Inbound hooks stay, so the tables that they reference can't be truncated.
  await db.run(
    knex('inbound_hooks')
      .whereNotNull('assigned_user_id')
      .orWhereNotNull('content_id')
      .update({
        assigned_user_id: null,
        content_id: null,
        version: knex.raw('version + 1'),
        updated_at: changeTime,
      }),
  );
  await db.run(knex('content').delete());
  await db.run(knex('users').delete());
  // Mark a gap, so that clients that follow the event log notice it. It takes a new position, so that it comes after the
  // cursor of a client that has read all events.
  await db.run(knex('event_retention').update({ dropped_through: knex.raw(`nextval('event_positions')`) }));
}
