import { type Db, one } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { erasingIn } from '../db/tables.ts';
import { event } from '../events/tables.ts';
import { idempotencyKey } from '../http/idempotency/tables.ts';
import { receivedData } from '../inbound-hooks/tables.ts';
import { storableJson } from '../values/text.ts';
import { attempt } from '../webhooks/tables.ts';
import { formsOf, type Patterns } from './address.ts';

const emails = prepare<{ ids: string[] }, { email: string }>('emails_of_people', ($) =>
  knex.raw(
    `select distinct email
    from events cross join lateral (
      select object ->> 'email' as email
      union all select json_array_elements_text(object -> 'other_emails')
      union all select unnest(former_emails(changes))
    ) as had
    where resource_id = any(?::uuid[]) and email is not null`,
    [$('ids')],
  ),
);

/** Current and former email addresses of leads, contacts or users (UUIDs), as far back as events are kept. */
export async function knownEmails(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.run(emails({ ids }));
  return rows.map(({ email }) => email);
}

const unusedByPeople = prepare<{ emails: string[] }, { email: string }>('emails_unused_by_people', ($) =>
  knex.raw(
    `with given as materialized (select ?::text[] as emails)
    select unnest(emails) as email from given
    except select email from given, lead_emails where email = any(emails)
    except select email from given, contact_emails where email = any(emails)
    except select unnest(merges.emails) from given, merges
      where merges.emails <> '{}' and merges.emails && given.emails`,
    [$('emails')],
  ),
);

const unusedByUsers = prepare<{ emails: string[] }, { email: string }>('emails_unused_by_users', ($) =>
  knex.raw(
    `select given.email from unnest(?::text[]) as given(email)
    where not exists (select from users where lower(users.email) = given.email)`,
    [$('emails')],
  ),
);

/** Which of the addresses of deleted people nobody else of their kind has. In lower case. */
export async function unusedAmong(
  db: Db,
  kind: 'lead' | 'contact' | 'user',
  emails: readonly string[],
): Promise<string[]> {
  const distinct = [...new Set(emails.map((email) => email.toLowerCase()))];
  if (distinct.length === 0) return [];
  const query = kind === 'user' ? unusedByUsers : unusedByPeople;
  return (await db.run(query({ emails: distinct }))).map(({ email }) => email);
}

/** A lead or contact that has just been deleted. */
export interface DeletedPerson {
  /** UUID. */
  id: string;
  email: string | null;
  other_emails: readonly string[];
  external_id: string | null;
}

const merged = prepare<{ ids: string[] }, DeletedPerson>('forget_merged', ($) =>
  knex.raw(
    'delete from merges where merged_into = any(?::uuid[]) returning id, null as email, emails as other_emails, external_id',
    [$('ids')],
  ),
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
 * digest of personal data proves a guess. A client may have put an address into its Idempotency-Key.
 */
const erasure = prepare<{ people: string; ids: string[]; addresses: string[] }, Counted>(
  'erase_people',
  ($) =>
    knex.raw(
      `with person as materialized (
        select * from json_to_recordset(?::json) as person(id uuid, public_id text, email text)
      ),
      given as materialized (select ?::text[] as addresses),
      erased_events as (
        update events set ? from person where resource_id = person.id
        returning 1
      ),
      erased_answers as (
        update idempotency_keys set ? where people <> '{}' and people && ?::uuid[]
      ),
      -- Those of which the same person was not erased before, as a contact beside a lead.
      new_answers as (
        select from idempotency_keys where people <> '{}' and people && ?::uuid[] and request_hash <> ''
      ),
      erased_responses as (
        update webhook_attempts set ?
        from person join webhook_deliveries on resource_id = person.id
        where delivery_id = webhook_deliveries.id and response_body is not null
        returning 1
      )
      select (select count(*) from erased_events) as events,
        (select count(*) from new_answers) as stored_answers,
        (select count(*) from erased_responses) as webhook_responses`,
      [
        $('people'),
        $('addresses'),
        erasingIn(event, 'person'),
        erasingIn(idempotencyKey, 'person'),
        $('ids'),
        $('ids'),
        erasingIn(attempt, 'person'),
      ],
    ),
);

export async function erase(
  db: Db,
  people: readonly Person[],
  emails: readonly string[],
): Promise<Omit<Erased, 'inbound_deliveries'>> {
  const ids = people.map(({ id }) => id);
  const addresses = [...new Set(emails)].flatMap(formsOf);
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
        update events set ? from address
        where resource_id = any(ids) and (object::text ~* whole or changes::text ~* whole)
        returning 1
      ),
      erased_answers as (
        update idempotency_keys set ? from address
        where people <> '{}' and people && ids and (body::text ~* whole or key ~* part)
        returning 1
      ),
      erased_responses as (
        update webhook_attempts set ?
        from address join webhook_deliveries on resource_id = any(ids)
        where delivery_id = webhook_deliveries.id and response_body ~* part
        returning 1
      )
      select (select count(*) from erased_events) as events,
        (select count(*) from erased_answers) as stored_answers,
        (select count(*) from erased_responses) as webhook_responses`,
    [
      $('whole'),
      $('part'),
      $('ids'),
      erasingIn(event, 'address'),
      erasingIn(idempotencyKey, 'address'),
      erasingIn(attempt, 'address'),
    ],
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

const fromImports = prepare<{ hashes: string[] }, never>('erase_people_from_imports', ($) =>
  knex.raw(
    `insert into import_erasures (hash)
      select distinct unnest(?::bigint[]) where exists (select from import_chunks)
      on conflict do nothing`,
    [$('hashes')],
  ),
);

/**
 * Stores hashes of the people if import rows may be about them. The rows are searched later: there may be gigabytes of them.
 *
 * This statement waits for chunks that are just being saved, and later ones wait until the transaction ends: see
 * lockErasures(). So it comes last, when the transaction no longer waits for rows that such a chunk has locked.
 */
export function eraseFromImports(trx: Db, hashes: readonly string[]): void {
  trx.send(fromImports({ hashes: [...hashes] }));
}

interface InboundTraces {
  /** UUIDs. */
  leadIds: string[];
  emails: readonly string[];
  /** Perhaps they are somebody else's, so deliveries of leads that exist are left. */
  formerEmails: readonly string[];
}

const inboundDeliveries = prepare<InboundTraces, { id: string }>('erase_inbound', ($) =>
  knex.raw(
    `update inbound_deliveries
    set ?, version = version + 1, updated_at = statement_timestamp()
    where (
        lead_id = any(?::uuid[]) or emails && ?::text[]
        or (emails && ?::text[] and not exists (select from leads where leads.id = lead_id))
      )
      and (payload_bytes > 0 or num_nonnulls(errors, warnings, dedupe_key) > 0)
    returning id`,
    [erasingIn(receivedData, 'person'), $('leadIds'), $('emails'), $('formerEmails')],
  ),
);

/**
 * Erases inbound deliveries about people, found by their lead or by an email address. Ids, types and times stay. Returns how
 * many it erased.
 */
export async function eraseInbound(
  db: Db,
  { leadIds, emails, formerEmails }: InboundTraces,
): Promise<number> {
  const inLowerCase = (addresses: readonly string[]) => addresses.map((email) => email.toLowerCase());
  const erased = await db.run(
    inboundDeliveries({ leadIds, emails: inLowerCase(emails), formerEmails: inLowerCase(formerEmails) }),
  );
  return erased.length;
}
