import type { Db } from '../db/db.ts';
import { knex } from '../db/query.ts';
import { erasingIn } from '../db/tables.ts';
import { idempotencyKey } from '../http/idempotency/tables.ts';
import { job, jobError } from '../jobs/tables.ts';
import { webhook } from '../webhooks/tables.ts';

/**
 * Erases addresses from the filters of webhooks, and from the options of jobs: a file without a header has a person's cells as
 * the names of its columns, a translation may lead to an owner's address, and a job may write one. So do stored answers of such
 * requests. `pattern` finds the addresses.
 */
export async function eraseFromSettings(db: Db, pattern: string): Promise<void> {
  await db.run(
    knex.raw(
      `with address as materialized (select ?::text as whole),
        erased_jobs as (
          update jobs set ?, version = version + 1, updated_at = statement_timestamp()
          from address where concat_ws(' ', options, failures) ~* whole
          returning id
        ),
        erased_webhooks as (
          update webhooks set ?, version = version + 1, updated_at = change_time()
          from address where filter::text ~* whole
        ),
        -- Answers about people are found by their ids. These have none.
        erased_answers as (
          update idempotency_keys set ? from address
          where people = '{}' and body::text ~ '^{"data":{"id":"(job|import|webhook)_' and body::text ~* whole
        )
        update job_errors set ? from address, erased_jobs
        where job_id = erased_jobs.id and concat("column", ' ', message) ~* whole`,
      [pattern, ...[job, webhook, idempotencyKey, jobError].map((columns) => erasingIn(columns, 'address'))],
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
