import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';

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

interface Person {
  /** UUID. */
  id: string;
  public_id: string;
  /** Replaces the address. */
  email: string;
}

/** A single statement, so that all tables are read from one snapshot. */
const erasure = prepare<{ people: string; ids: string[] }, never>('erase_people', ($) =>
  knex.raw(
    `with person as materialized (
        select * from json_to_recordset(?::json) as person(id uuid, public_id text, email text)
      ),
      erased_events as (
        update events
        set object = erase_person(object, email), changes = erase_person_changes(changes, email)
        from person where resource_id = person.id
      ),
      erased_answers as (
        update idempotency_keys
        set body = erase_people_answer(body, (select jsonb_object_agg(public_id, email) from person))
        where people <> '{}' and people && ?::uuid[]
      )
      update webhook_attempts set response_body = null
      from person join webhook_deliveries on resource_id = person.id
      where delivery_id = webhook_deliveries.id and response_body is not null`,
    [$('people'), $('ids')],
  ),
);

export async function erase(db: Db, people: readonly Person[]): Promise<void> {
  await db.run(erasure({ people: JSON.stringify(people), ids: people.map(({ id }) => id) }));
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
  trx.send(fromImports({ emails: JSON.stringify(emails), hashes }));
}

const inboundDeliveries = prepare<{ leadIds: string[]; emails: string[] }, never>('erase_inbound', ($) =>
  knex('inbound_deliveries')
    .where((about) =>
      about
        .where('lead_id', knex.raw('any(?::uuid[])', [$('leadIds')]))
        .orWhere('emails', '&&', knex.raw('?::text[]', [$('emails')])),
    )
    .where((kept) => kept.where('payload_bytes', '>', 0).orWhereNotNull('errors').orWhereNotNull('warnings'))
    .update({
      payload: null,
      body: null,
      content_type: null,
      errors: null,
      warnings: null,
      emails: [],
      version: knex.raw('version + 1'),
      updated_at: knex.raw('statement_timestamp()'),
    }),
);

/** Erases inbound deliveries about people, found by their lead or by an email address. Ids, types and times stay. */
export async function eraseInbound(
  db: Db,
  { leadIds, emails }: { leadIds: string[]; emails: readonly string[] },
): Promise<void> {
  await db.run(inboundDeliveries({ leadIds, emails: emails.map((email) => email.toLowerCase()) }));
}
