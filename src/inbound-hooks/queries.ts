import type { Db } from '../db/db.ts';
import { type DeliveryLog, deleteOld, deleteOrphaned } from '../db/delivery-log.ts';
import * as filters from '../db/filters.ts';
import {
  type InboundDeliveryRow,
  type InboundHookRow,
  inboundDeliveryColumns,
  inboundHookColumns,
} from '../db/inbound-tables.ts';
import { defineResource } from '../db/resource.ts';
import { run } from '../db/statement.ts';
import { writeOrFind } from '../db/write-or-find.ts';
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
export async function claimDelivery(
  db: Db,
  { id, hookId, dedupeKey, payload, emails, storage }: Claim,
): Promise<Claimed> {
  await run(db, {
    name: 'expire_dedupe_key',
    sql: `update inbound_deliveries set dedupe_key = null
      where hook_id = ? and dedupe_key = ? and created_at < now() - interval '${DEDUPE_WINDOW}'`,
    bindings: [hookId, dedupeKey],
  });
  const text = JSON.stringify(payload);
  const insertion = {
    name: 'claim_inbound_delivery',
    sql: `insert into inbound_deliveries (id, hook_id, status, dedupe_key, payload, emails)
      select ?, ?, 'rejected', ?, case when has_room then ?::json end, case when has_room then ?::text[] else '{}' end
      from (select inbound_storage_used() + 1024 + ? <= ? as has_room) as storage
      on conflict (hook_id, dedupe_key) do nothing returning id, payload is not null as is_stored`,
    bindings: [id, hookId, dedupeKey, text, emails, Buffer.byteLength(text), storage],
  };
  const first = {
    name: 'first_inbound_delivery',
    sql: `select id, payload is not null as is_stored from inbound_deliveries
      where hook_id = ? and dedupe_key = ?`,
    bindings: [hookId, dedupeKey],
  };
  return writeOrFind(
    async () => (await run<Claimed>(db, insertion))[0],
    async () => (await run<Claimed>(db, first))[0],
  );
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

const log: DeliveryLog = { table: 'inbound_deliveries', owner: 'hook_id', owners: 'inbound_hooks' };

export const deleteOldInboundDeliveries = (db: Db, limit: number) => deleteOld(db, log, limit);
export const deleteOrphanedInboundDeliveries = (db: Db, limit: number) => deleteOrphaned(db, log, limit);
