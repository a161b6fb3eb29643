import * as filters from '../db/filters.ts';
import {
  type InboundDeliveryRow,
  type InboundHookRow,
  inboundDeliveryColumns,
  inboundHookColumns,
} from '../db/inbound-tables.ts';
import type { Db } from '../db/knex.ts';
import { defineResource } from '../db/resource.ts';
import { run } from '../db/statement.ts';
import type { Input } from '../http/operation.ts';

export const hooks = defineResource<InboundHookRow>({
  table: 'inbound_hooks',
  prefix: 'hook',
  another: 'another hook',
  unique: [],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz', name: 'text' },
  columns: inboundHookColumns,
});

export const hookFilters: filters.FilterTable<Input<'listInboundHooks'>['query']> = {
  ...filters.dateFilters,
  status: filters.equals('status'),
};

export const deliveries = defineResource<InboundDeliveryRow>({
  table: 'inbound_deliveries',
  prefix: 'delivery',
  another: 'another delivery',
  unique: [],
  sortable: { created_at: 'timestamptz' },
  columns: inboundDeliveryColumns,
});

export const deliveryFilters: filters.FilterTable<Input<'listInboundDeliveries'>['query']> = {
  created_from: filters.dateFilters.created_from,
  created_to: filters.dateFilters.created_to,
  status: filters.anyOf('status'),
};

/** How long a delivery with the same dedupe key counts as a duplicate. */
const DEDUPE_WINDOW = '24 hours';

interface Claim {
  id: string;
  hookId: string;
  /** SHA-256 of what identifies the delivery. */
  dedupeKey: Buffer;
  payload: unknown;
  /** The email addresses in the payload. */
  emails: readonly string[];
  /** Limit for all payloads together. Bytes. */
  storage: number;
}

interface Claimed {
  id: string;
  /** Whether the payload was stored. */
  is_stored: boolean;
}

/**
 * Inserts the delivery with the status `rejected` until it is settled, with its payload if there is storage left. Of two
 * concurrent duplicates the second waits for the first. Returns the delivery that counts: the first within 24 hours.
 */
export async function claimDelivery(db: Db, claim: Claim): Promise<Claimed> {
  const { id, hookId, dedupeKey, payload, emails, storage } = claim;
  await run(db, {
    name: 'expire_dedupe_key',
    sql: `update inbound_deliveries set dedupe_key = null
      where hook_id = ? and dedupe_key = ? and created_at < now() - interval '${DEDUPE_WINDOW}'`,
    bindings: [hookId, dedupeKey],
  });
  const text = JSON.stringify(payload);
  const [claimed] = await run<Claimed>(db, {
    name: 'claim_inbound_delivery',
    sql: `insert into inbound_deliveries (id, hook_id, status, dedupe_key, payload, emails)
      select ?, ?, 'rejected', ?, case when has_room then ?::json end, case when has_room then ?::text[] else '{}' end
      from (select inbound_storage_used() + 1024 + ? <= ? as has_room) as storage
      on conflict (hook_id, dedupe_key) do nothing returning id, payload is not null as is_stored`,
    bindings: [id, hookId, dedupeKey, text, emails, Buffer.byteLength(text), storage],
  });
  if (claimed !== undefined) return claimed;
  const [first] = await run<Claimed>(db, {
    name: 'first_inbound_delivery',
    sql: `select id, payload is not null as is_stored from inbound_deliveries
      where hook_id = ? and dedupe_key = ?`,
    bindings: [hookId, dedupeKey],
  });
  // The first one was deleted after the insert met it, so this one counts.
  return first ?? claimDelivery(db, claim);
}

export type DeliveryOutcome = Pick<InboundDeliveryRow, 'status' | 'lead_id' | 'errors'>;

/** Stores the outcome of a delivery's first processing. */
export async function settleDelivery(
  db: Db,
  id: string,
  { status, lead_id, errors }: DeliveryOutcome,
): Promise<void> {
  await run(db, {
    name: 'settle_inbound_delivery',
    sql: 'update inbound_deliveries set status = ?, lead_id = ?, errors = ? where id = ?',
    bindings: [status, lead_id, errors, id],
  });
}

/** The payload; null if it was erased or never stored. */
export async function findPayload(db: Db, id: string): Promise<Record<string, unknown> | null> {
  const [row] = await run<{ payload: Record<string, unknown> | null }>(db, {
    name: 'inbound_payload',
    sql: 'select payload from inbound_deliveries where id = ?',
    bindings: [id],
  });
  return row?.payload ?? null;
}

/** Erases the deliveries about a person, found by their lead or an email address in them. Ids, types and times stay. */
export async function eraseInbound(
  db: Db,
  { leadId, emails }: { leadId: string | null; emails: readonly string[] },
): Promise<void> {
  await run(db, {
    name: 'erase_inbound',
    sql: `update inbound_deliveries set payload = null, errors = null, emails = '{}',
        version = version + 1, updated_at = statement_timestamp()
      where (lead_id = ? or emails && ?::text[]) and (payload is not null or errors is not null)`,
    bindings: [leadId, emails.map((email) => email.toLowerCase())],
  });
}

/** Deletes up to `limit` deliveries older than 30 days. Returns the number deleted. */
export async function deleteOldInboundDeliveries(db: Db, limit: number): Promise<number> {
  return deleteDeliveries(db, limit, `id < uuid_bound(now() - interval '30 days') order by id`);
}

/**
 * Deletes up to `limit` deliveries of deleted hooks. Returns the number deleted. Skips through the index from one hook to
 * the next instead of scanning it.
 */
export async function deleteOrphanedInboundDeliveries(db: Db, limit: number): Promise<number> {
  const next = (after: string) =>
    `(select hook_id from inbound_deliveries ${after} order by hook_id limit 1)`;
  return deleteDeliveries(
    db,
    limit,
    `hook_id = any (array (
      with recursive known as (
        select ${next('')} as hook_id
        union all
        select ${next('where hook_id > known.hook_id')} from known where hook_id is not null
      )
      select hook_id from known where not exists (select from inbound_hooks where id = hook_id)
    ))`,
  );
}

async function deleteDeliveries(db: Db, limit: number, which: string): Promise<number> {
  const deleted = await run(db, {
    sql: `delete from inbound_deliveries where id in (
      select id from inbound_deliveries where ${which} limit ? for update skip locked) returning id`,
    bindings: [limit],
  });
  return deleted.length;
}
