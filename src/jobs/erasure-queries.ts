import type { Db } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';

const REASON = 'A person whom the change names was erased. Create another job without that person.';

const erasure = prepare<{ texts: string[] }, never>('erase_people_from_bulk_jobs', ($) =>
  knex.raw(
    `with named as (
      select id from bulk_jobs
      where status in ('queued', 'running') and kind = 'update'
        and exists (
          select from unnest(?::text[]) as text where position(lower(text) in lower(action::text)) > 0
        )
      order by id for no key update
    ),
    deleted as (delete from bulk_job_chunks where job_id in (select id from named))
    update bulk_jobs
    set status = 'failed', finished_at = change_time(), failure_reason = '${REASON}', action = '{"update":{}}',
      version = version + 1, updated_at = change_time()
    where id in (select id from named)`,
    [$('texts')],
  ),
);

/**
 * Ends the bulk jobs that would write one of these texts, such as the email address of an erased person, and erases what they
 * would write. Jobs that have ended keep no text, and a filter never is kept.
 */
export async function eraseFromBulkJobs(db: Db, texts: readonly string[]): Promise<void> {
  if (texts.length > 0) await db.run(erasure({ texts: [...texts] }));
}
