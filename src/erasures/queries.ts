import { type Db, one } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { storableJson } from '../values/text.ts';
import type { Patterns } from './address.ts';

const emails = prepare<{ ids: string[] }, { email: string }>('emails_of_people', ($) =>
  knex
    .distinct('email')
    .fromRaw(
      `events cross join lateral (values (object ->> 'email'), (changes #>> '{email,from}')) as had(email)`,
    )
    .where('resource_id', knex.raw('any(?::uuid[])', [$('ids')]))
    .whereNotNull('email'),
);

/** Current and former email addresses of leads or contacts (UUIDs), as far back as events are kept. */
export async function emailsOf(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.run(emails({ ids }));
  return rows.map(({ email }) => email);
}

const merged = prepare<{ ids: string[] }, { id: string; email: string | null; external_id: string | null }>(
  'forget_merged',
  ($) =>
    knex.raw('delete from merges where merged_into = any(?::uuid[]) returning id, email, external_id', [
      $('ids'),
    ]),
);

/** Deletes the rows of what was merged into these leads or contacts (UUIDs), and returns them. */
export function forgetMerged(db: Db, ids: string[]) {
  return db.run(merged({ ids }));
}

interface Person {
  /** UUID. */
  id: string;
  public_id: string;
  /** Replaces the address. */
  email: string;
}

/** How many records no longer have personal data. */
export interface Erased {
  events: number;
  stored_answers: number;
  inbound_deliveries: number;
  webhook_responses: number;
}

type Counted = { [Name in Exclude<keyof Erased, 'inbound_deliveries'>]: string };

/**
 * A single statement, so that all tables are read from one snapshot. An answer that was erased has no hash of its request: a
 * digest of personal data proves a guess. A client may have put the address into its Idempotency-Key.
 */
const erasure = prepare<{ people: string; ids: string[]; addresses: string }, Counted>('erase_people', ($) =>
  knex.raw(
    `with person as materialized (
        select * from json_to_recordset(?::json) as person(id uuid, public_id text, email text)
      ),
      erased_events as (
        update events
        set object = (select erased from erase_fields(object, email)),
          changes = (select erased from erase_changes(changes, email))
        from person where resource_id = person.id
        returning 1
      ),
      erased_answers as (
        update idempotency_keys
        set body = erase_people_answer(body, (select jsonb_object_agg(public_id, email) from person)),
          request_hash = '', key = erase_key(key, ?)
        where people <> '{}' and people && ?::uuid[]
      ),
      -- Those of which the same person was not erased before, as a contact beside a lead.
      new_answers as (
        select from idempotency_keys where people <> '{}' and people && ?::uuid[] and request_hash <> ''
      ),
      erased_responses as (
        update webhook_attempts set response_body = null
        from person join webhook_deliveries on resource_id = person.id
        where delivery_id = webhook_deliveries.id and response_body is not null
        returning 1
      )
      select (select count(*) from erased_events) as events,
        (select count(*) from new_answers) as stored_answers,
        (select count(*) from erased_responses) as webhook_responses`,
    [$('people'), $('addresses'), $('ids'), $('ids')],
  ),
);

/** `addresses` is a regular expression that finds all their addresses in a key. */
export async function erase(
  db: Db,
  people: readonly Person[],
  addresses: string,
): Promise<Omit<Erased, 'inbound_deliveries'>> {
  const ids = people.map(({ id }) => id);
  return toErased(await one(db, erasure({ people: storableJson(people), ids, addresses })));
}

function toErased({ events, stored_answers, webhook_responses }: Counted) {
  return {
    events: Number(events),
    stored_answers: Number(stored_answers),
    webhook_responses: Number(webhook_responses),
  };
}

const mentions = prepare<Patterns & { ids: string[] }, Counted>('erase_mentions', ($) =>
  knex.raw(
    `with address as materialized (select ?::text as whole, ?::text as part, ?::uuid[] as ids),
      erased_events as (
        update events set object = erase_address(object, whole), changes = erase_address(changes, whole)
        from address
        where resource_id = any(ids) and (object::text ~* whole or changes::text ~* whole)
        returning 1
      ),
      erased_answers as (
        update idempotency_keys
        set body = erase_address(body, whole), request_hash = '', key = erase_key(key, part)
        from address
        where people <> '{}' and people && ids and (body::text ~* whole or key ~* part)
        returning 1
      ),
      erased_responses as (
        update webhook_attempts set response_body = null
        from address join webhook_deliveries on resource_id = any(ids)
        where delivery_id = webhook_deliveries.id and response_body ~* part
        returning 1
      )
      select (select count(*) from erased_events) as events,
        (select count(*) from erased_answers) as stored_answers,
        (select count(*) from erased_responses) as webhook_responses`,
    [$('whole'), $('part'), $('ids')],
  ),
);

/** Erases an address from what is stored about leads and contacts (UUIDs) who stay. */
export async function eraseMentions(
  db: Db,
  ids: string[],
  patterns: Patterns,
): Promise<Omit<Erased, 'inbound_deliveries'>> {
  return toErased(await one(db, mentions({ ids, ...patterns })));
}

const fromImports = prepare<{ emails: string; hashes: string[] }, never>('erase_people_from_imports', ($) =>
  knex.raw(
    `insert into import_erasures (hash)
      select hash from json_to_recordset(?::json) as had(email text, hash bigint)
      where exists (select from import_chunks)
        and not exists (select from leads where lower(leads.email) = lower(had.email))
        and not exists (select from contacts where lower(contacts.email) = lower(had.email))
      union select unnest(?::bigint[]) where exists (select from import_chunks)
      on conflict do nothing`,
    [$('emails'), $('hashes')],
  ),
);

/**
 * Stores hashes of the people if import rows may be about them. An address that another lead or contact also has is not
 * erased. The rows are searched later: there may be gigabytes of them.
 */
export function eraseFromImports(
  trx: Db,
  emails: readonly { email: string; hash: string }[],
  hashes: string[],
): void {
  trx.send(fromImports({ emails: storableJson(emails), hashes }));
}

const inboundDeliveries = prepare<{ leadIds: string[]; emails: string[] }, { id: string }>(
  'erase_inbound',
  ($) =>
    knex('inbound_deliveries')
      .where((about) =>
        about
          .where('lead_id', knex.raw('any(?::uuid[])', [$('leadIds')]))
          .orWhere('emails', '&&', knex.raw('?::text[]', [$('emails')])),
      )
      .where((kept) =>
        kept
          .where('payload_bytes', '>', 0)
          .orWhereNotNull('errors')
          .orWhereNotNull('warnings')
          .orWhereNotNull('dedupe_key'),
      )
      .update({
        payload: null,
        body: null,
        content_type: null,
        errors: null,
        warnings: null,
        emails: [],
        // A digest of the data. Without it, the same data sent again makes a new lead.
        dedupe_key: null,
        version: knex.raw('version + 1'),
        updated_at: knex.raw('statement_timestamp()'),
      })
      .returning('id'),
);

/**
 * Erases inbound deliveries about people, found by their lead or by an email address. Ids, types and times stay. Returns how
 * many it erased.
 */
export async function eraseInbound(
  db: Db,
  { leadIds, emails }: { leadIds: string[]; emails: readonly string[] },
): Promise<number> {
  const erased = await db.run(
    inboundDeliveries({ leadIds, emails: emails.map((email) => email.toLowerCase()) }),
  );
  return erased.length;
}
