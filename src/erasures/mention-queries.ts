import type { Db } from '../db/db.ts';
import { knex } from '../db/query.ts';

/**
 * Erases addresses from the settings of imports and bulk jobs: a file without a header has a person's cells as the names of
 * its columns, a translation may lead to an owner's address, and a job may write one. So do stored answers of such requests.
 * `pattern` finds the addresses.
 */
export async function eraseFromJobs(db: Db, pattern: string): Promise<void> {
  await db.run(
    knex.raw(
      `with address as materialized (select ?::text as pattern),
        erased_jobs as (
          update bulk_jobs set action = erase_address(action, pattern), filter = erase_address(filter, pattern),
            version = version + 1, updated_at = statement_timestamp()
          from address where concat(action, filter) ~* pattern
        ),
        erased_imports as (
          update imports set columns = erase_address(columns, pattern), mapping = erase_address(mapping, pattern),
            given_mapping = erase_address(given_mapping, pattern), defaults = erase_address(defaults, pattern),
            "values" = erase_address("values", pattern), findings = erase_address(findings, pattern),
            failures = erase_address(failures, pattern), version = version + 1, updated_at = statement_timestamp()
          from address
          where concat(columns, mapping, given_mapping, defaults, "values", findings, failures) ~* pattern
          returning id
        ),
        -- Answers about people are found by their ids. These have none.
        erased_answers as (
          update idempotency_keys set body = erase_address(body, pattern), request_hash = ''
          from address
          where people = '{}' and body::text ~ '^{"data":{"id":"(job|import)_' and body::text ~* pattern
        )
        update import_errors set "column" = erase_address("column", pattern), message = erase_address(message, pattern)
        from address, erased_imports
        where import_id = erased_imports.id and concat("column", ' ', message) ~* pattern`,
      [pattern],
    ),
  );
}

/** Erases the author's name from notes and their events. Returns nothing: notes of other people are not counted. */
export async function eraseAuthors(db: Db, names: readonly string[]): Promise<void> {
  await db.run(
    knex.raw(
      `with author as materialized (select array(select lower(unnest(?::text[]))) as names),
        erased as (
          update notes set author_name = null, version = version + 1, updated_at = change_time()
          from author where author_name is not null and lower(author_name) = any(names)
          returning coalesce(lead_id, contact_id) as owner
        )
        update events set object = erase_author(object, 'null'),
          changes = erase_author(changes, '{"from": null, "to": null}')
        from author
        where resource_id in (select owner from erased) and type like 'note.%'
          and lower(object ->> 'author_name') = any(names)`,
      [[...names]],
    ),
  );
}

/** The current and former names of users (UUIDs), as far back as events are kept. */
export async function namesOf(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.run<{ name: string }>(
    knex.raw(
      `select distinct name
       from events cross join lateral (values (object ->> 'name'), (changes #>> '{name,from}')) as had(name)
       where resource_id = any(?::uuid[]) and name is not null`,
      [ids],
    ),
  );
  return rows.map(({ name }) => name);
}
