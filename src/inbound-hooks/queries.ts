import { hash } from 'node:crypto';
import { type Db, first } from '../db/db.ts';
import { type DeliveryLog, deleteOrphaned } from '../db/delivery-log.ts';
import { ConflictError } from '../db/errors.ts';
import { condition } from '../db/list/condition.ts';
import * as filters from '../db/list/filters.ts';
import { knex, prepare, sql } from '../db/query.ts';
import { defineResource } from '../db/resource.ts';
import type { Input } from '../operation.ts';
import type { Body } from './receiving/body/read-body.ts';
import {
  type InboundDeliveryRow,
  type InboundHookRow,
  inboundDeliveryColumns,
  inboundHookColumns,
} from './tables.ts';

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
  prefix: 'inbound',
  another: 'another delivery',
  unique: [],
  sortable: { created_at: 'timestamptz' },
  columns: inboundDeliveryColumns,
});

export const deliveryFilters: filters.FilterTable<Input<'listInboundDeliveries'>['query']> = {
  created_from: filters.dateFilters.created_from,
  created_to: filters.dateFilters.created_to,
  status: filters.anyOf('status'),
  has_warnings: (wanted) => condition(`warnings is ${wanted ? 'not ' : ''}null`),
};

interface Claim {
  id: string;
  hookId: string;
  /** SHA-256 of what identifies the delivery. */
  dedupeKey: Buffer;
  body: Body;
  /** The email addresses in the body. */
  emails: string[];
  /** Limit for all bodies together. Bytes. */
  storage: number;
}

interface Claimed {
  id: string;
  /** Whether the body was stored. */
  is_stored: boolean;
}

/** What no longer makes the next delivery with the same key a duplicate. */
const expireKey = prepare<{ hookId: string; dedupeKey: Buffer; digest: Buffer }, never>(
  'expire_dedupe_key',
  ($) =>
    knex('inbound_deliveries')
      .where({ hook_id: $('hookId'), dedupe_key: $('dedupeKey') })
      .where((expired) =>
        expired
          .where('created_at', '<', knex.raw(`now() - interval '24 hours'`))
          // Its lead was deleted since.
          .orWhereRaw('lead_id is not null and not exists (select from leads where leads.id = lead_id)')
          // It made no lead, and another body may make one.
          .orWhereRaw(`status in ('rejected', 'skipped') and sha256(body) is distinct from ?`, [$('digest')]),
      )
      .update({ dedupe_key: null }),
);

const isStored = knex.raw<boolean>('payload_bytes > 0 as is_stored');

type Insertion = Omit<Claim, 'body'> & Body & { size: number };

const insertDelivery = prepare<Insertion, Claimed>(
  'claim_inbound_delivery',
  ($) =>
    sql`
    insert into inbound_deliveries (id, hook_id, status, dedupe_key, body, content_type, emails)
    select ${$('id')}, ${$('hookId')}, 'rejected', ${$('dedupeKey')},
      case when has_room then ${$('bytes')}::bytea end,
      case when has_room then ${$('contentType')} end,
      case when has_room then ${$('emails')}::text[] else '{}' end
    from (select inbound_storage_used() + 1024 + ${$('size')} <= ${$('storage')} as has_room) as storage
    on conflict (hook_id, dedupe_key) do nothing
    returning id, ${isStored}`,
);

const firstDelivery = prepare<{ hookId: string; dedupeKey: Buffer }, Claimed>('first_inbound_delivery', ($) =>
  knex('inbound_deliveries')
    .where({ hook_id: $('hookId'), dedupe_key: $('dedupeKey') })
    .select('id', isStored),
);

/**
 * Inserts the delivery as `rejected` until it is settled. Stores its body if there is room. The second of two concurrent
 * duplicates waits for the first. Returns the delivery that counts: the first within 24 hours, if its lead exists.
 */
export async function claimDelivery(db: Db, claim: Claim): Promise<Claimed> {
  const { bytes, contentType } = claim.body;
  await db.run(expireKey({ ...claim, digest: hash('sha256', bytes, 'buffer') }));
  const insertion = insertDelivery({ ...claim, bytes, contentType, size: bytes.length });
  const claimed = (await first(db, insertion)) ?? (await first(db, firstDelivery(claim)));
  if (claimed === undefined) throw new ConflictError();
  return claimed;
}

export type DeliveryOutcome = Pick<
  InboundDeliveryRow,
  'status' | 'lead_id' | 'note_id' | 'errors' | 'warnings'
>;

const settle = prepare<DeliveryOutcome & { id: string }, never>('settle_inbound_delivery', ($) =>
  knex('inbound_deliveries')
    .where({ id: $('id') })
    .update({
      status: $('status'),
      lead_id: $('lead_id'),
      note_id: $('note_id'),
      errors: $('errors'),
      warnings: $('warnings'),
    }),
);

/** Stores the outcome of a delivery's first processing. */
export async function settleDelivery(db: Db, id: string, outcome: DeliveryOutcome): Promise<void> {
  await db.run(settle({ ...outcome, id }));
}

const bodyOf = prepare<{ id: string }, Body>('inbound_body', ($) =>
  knex('inbound_deliveries')
    .where({ id: $('id') })
    .whereNotNull('body')
    .select('body as bytes', 'content_type as contentType'),
);

/** The body of a delivery. Undefined if it was erased, dropped or never stored. */
export async function findBody(db: Db, id: string): Promise<Body | undefined> {
  return first(db, bodyOf({ id }));
}

const log: DeliveryLog = { table: 'inbound_deliveries', owner: 'hook_id', owners: 'inbound_hooks' };

export const deleteOrphanedInboundDeliveries = (db: Db, limit: number) => deleteOrphaned(db, log, limit);

const recentNote = prepare<{ leadId: string; hookId: string; text: string }, { id: string }>(
  'find_recent_note',
  ($) =>
    knex('notes')
      .where({ lead_id: $('leadId'), actor_type: 'hook', actor_id: $('hookId'), text: $('text') })
      .where('created_at', '>', sql`statement_timestamp() - interval '10 minutes'` as never)
      .limit(1)
      .select('id'),
);

/** Whether the hook has made a note about the lead (UUID) with this text within the last ten minutes. */
export async function hasRecentNote(
  db: Db,
  note: { leadId: string; hookId: string; text: string },
): Promise<boolean> {
  return (await first(db, recentNote(note))) !== undefined;
}
