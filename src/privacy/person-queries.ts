import { type Db, one } from '../db/db.ts';
import { type Condition, condition } from '../db/list/condition.ts';
import { countRows, fetchPage } from '../db/list/fetch-page.ts';
import type { ListSource } from '../db/list/page.ts';
import { knex } from '../db/query.ts';
import { eventLog } from '../events/queries.ts';
import type { EventRow } from '../events/tables.ts';
import type { JobRow } from '../jobs/tables.ts';

/** Leads and contacts (UUIDs), and those that were merged into them. */
interface PersonIds {
  leads: string[];
  contacts: string[];
  merged: string[];
}

export const allOf = ({ leads, contacts, merged }: PersonIds) => [...leads, ...contacts, ...merged];

/** The newest rows that are about a person, and how many there are. */
export async function newest<Row>(
  db: Db,
  source: ListSource,
  about: Condition,
  limit: number,
): Promise<{ rows: Row[]; total: number }> {
  const [[column, type] = ['created_at', 'timestamptz' as const]] = Object.entries(source.sortable);
  const sort = { column, type, descending: true };
  return fetchPage<Row>(db, source, {
    search: undefined,
    conditions: [about],
    sort,
    limit,
    offset: 0,
    after: undefined,
  });
}

export const notesAbout = ({ leads, contacts }: PersonIds): Condition =>
  condition('(lead_id = any(?::uuid[]) or contact_id = any(?::uuid[]))', leads, contacts);

export const ofLeads = ({ leads }: PersonIds): Condition => condition('lead_id = any(?::uuid[])', leads);

/**
 * The newest events, and how many there are. The newest of each lead and contact are searched one by one: with a list of ids,
 * PostgreSQL may read the whole log backwards, past everybody's newer events.
 */
export async function newestEvents(
  db: Db,
  ids: string[],
  limit: number,
): Promise<{ rows: EventRow[]; total: number }> {
  const newestOfEach = condition(
    `id in (
      select latest.id from unnest(?::uuid[]) as about(id) cross join lateral (
        select id from events where resource_id = about.id order by position desc limit ?
      ) as latest
    )`,
    ids,
    limit,
  );
  const { rows } = await newest<EventRow>(db, eventLog, newestOfEach, limit);
  return { rows, total: await countRows(db, eventLog, [condition('resource_id = any(?::uuid[])', ids)]) };
}

export const deliveriesAbout = ({ leads, merged }: PersonIds, email: string): Condition =>
  condition(
    '(lead_id = any(?::uuid[]) or emails && ?::text[])',
    [...leads, ...merged],
    [email.toLowerCase()],
  );

/** How many stored answers and responses of webhook receivers are about these leads and contacts (UUIDs). */
export async function countAnswers(
  db: Db,
  ids: string[],
): Promise<{ stored_answers: number; webhook_responses: number }> {
  const counted = await one<{ stored_answers: string; webhook_responses: string }>(
    db,
    knex.raw(
      `with person as materialized (select ?::uuid[] as ids)
      select
        (select count(*) from idempotency_keys, person where people <> '{}' and people && ids) as stored_answers,
        (select count(*) from webhook_deliveries
         join webhook_attempts on delivery_id = webhook_deliveries.id
         where resource_id = any(ids) and response_body is not null) as webhook_responses
      from person`,
      [ids],
    ),
  );
  return {
    stored_answers: Number(counted.stored_answers),
    webhook_responses: Number(counted.webhook_responses),
  };
}

/** The imports and bulk jobs that wrote about these leads and contacts (UUIDs): their events have the job's request. */
export function findJobs(db: Db, ids: string[]): Promise<Pick<JobRow, 'kind' | 'id'>[]> {
  return db.run(
    knex.raw(
      `with request as materialized (select distinct request_id from events where resource_id = any(?::uuid[]))
      select kind, id from jobs where kind <> 'replay' and request_id in (select request_id from request)
      order by id limit 100`,
      [ids],
    ),
  );
}
