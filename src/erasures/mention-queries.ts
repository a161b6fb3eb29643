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
          from address where concat_ws(' ', action, filter) ~* pattern
        ),
        erased_imports as (
          update imports set columns = erase_address(columns, pattern), mapping = erase_address(mapping, pattern),
            given_mapping = erase_address(given_mapping, pattern), defaults = erase_address(defaults, pattern),
            sheet = erase_address(sheet, pattern), charset = erase_address(charset, pattern),
            given_charset = erase_address(given_charset, pattern),
            "values" = erase_address("values", pattern), findings = erase_address(findings, pattern),
            failures = erase_address(failures, pattern), version = version + 1, updated_at = statement_timestamp()
          from address
          where concat_ws(' ', columns, mapping, given_mapping, defaults, "values", findings, failures, sheet, charset,
            given_charset) ~* pattern
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

/**
 * Erases an address from all Idempotency-Keys: clients make keys from addresses, also for requests about somebody else.
 * `pattern` finds the address.
 */
export async function eraseKeys(db: Db, pattern: string): Promise<void> {
  await db.run(
    knex.raw(
      String.raw`update idempotency_keys set key = 'erased-' || gen_random_uuid(), request_hash = ''
        where key ~ '[@%&\\]' and key ~* ?`,
      [pattern],
    ),
  );
}
