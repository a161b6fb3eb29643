import { type Db, one } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';

/** Deletes the rejected rows of a client's ended imports. */
export async function deleteRejectedRows(db: Db, client: string | null): Promise<void> {
  const ended = knex('jobs')
    .whereRaw(`status in ('completed', 'cancelled', 'failed') and not dry_run`)
    .select('id');
  await db.run(knex('import_chunks').where({ client_id: client }).whereIn('import_id', ended).delete());
}

// PostgreSQL knows the length of a text without reading it.
const kept = prepare<{ client: string | null }, { own: string; all: string; imports: string }>(
  'import_rows_kept',
  ($) =>
    knex.raw(
      `select coalesce(sum(octet_length(rows)) filter (where client_id = ?::uuid), 0) as own,
         coalesce(sum(octet_length(rows)), 0) as all,
         (select count(*) from jobs
          where kind = 'import' and (status in ('draft', 'queued', 'running') or (status = 'completed' and dry_run))
            and actor_id = ?::uuid and created_at > now() - interval '7 days') as imports
       from import_chunks`,
      [$('client'), $('client')],
    ),
);

/** Bytes of stored rows of this client (UUID) and of all, including uploads; and its number of imports that can be started. */
export async function rowsKept(
  db: Db,
  client: string | null,
): Promise<{ own: number; all: number; imports: number }> {
  const { own, all, imports } = await one(db, kept({ client }));
  return { own: Number(own), all: Number(all), imports: Number(imports) };
}
