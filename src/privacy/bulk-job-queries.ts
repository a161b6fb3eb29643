import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { formsOf, patternsOf } from './address.ts';

const REASON = 'A person whom the change names was erased. Create another job without that person.';

const running = `status in ('queued', 'running') and kind = 'update'`;

const candidates = prepare<{ forms: string[] }, { form: string }>('addresses_in_bulk_jobs', ($) =>
  knex.raw(
    `select form from unnest(?::text[]) as form
    where exists (select from jobs where ${running} and strpos(plain_spelling(options::text), form) > 0)`,
    [$('forms')],
  ),
);

const erasure = prepare<{ patterns: string[] }, never>('erase_people_from_bulk_jobs', ($) =>
  knex.raw(
    `with named as (
      select id from jobs
      where ${running} and options::text ~* any(?::text[])
      order by id for no key update
    ),
    deleted as (delete from bulk_job_chunks where job_id in (select id from named))
    update jobs
    set status = 'failed', finished_at = change_time(), failure_code = 'person_erased', failure_message = '${REASON}',
      options = (
        select json_build_object(
          'filter', options -> 'filter',
          'action', json_build_object('update', json_object_agg(key, null)),
          'redacted', (options -> 'redacted')::jsonb
            || coalesce(jsonb_agg('action.update.' || key) filter (where json_typeof(value) <> 'null'), '[]')
        ) from json_each(options #> '{action,update}')
      ),
      version = version + 1, updated_at = change_time()
    where id in (select id from named)`,
    [$('patterns')],
  ),
);

/**
 * Ends the bulk jobs that would write one of these addresses of erased people, and erases what they would write: the names
 * of the fields remain. Jobs that have ended keep no text, and a filter never is kept.
 */
export async function eraseFromBulkJobs(db: Db, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  const found = await db.run(candidates({ forms: emails.flatMap(formsOf) }));
  // PostgreSQL takes a hundred times as long for an expression.
  if (found.length > 0) await db.run(erasure({ patterns: found.map(({ form }) => patternsOf(form).whole) }));
}
