import { type Db, first } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import type { MergeRow } from './tables.ts';

const mergeColumns = ['id', 'merged_into', 'external_id'] as const;

/** What can be merged. */
export type MergedKind = MergeRow['kind'];

export type Merge = Pick<MergeRow, (typeof mergeColumns)[number]>;

const byIds = prepare<{ ids: string[] }, Merge>('merges_by_ids', ($) =>
  knex('merges')
    .where('id', knex.raw('any(?::uuid[])', [$('ids')]))
    .select(...mergeColumns),
);

/** Which of these leads or contacts (UUIDs) were merged into another one. */
export async function findMerges(db: Db, ids: readonly string[]): Promise<Merge[]> {
  return ids.length === 0 ? [] : db.run(byIds({ ids: [...ids] }));
}

const byExternalIds = prepare<{ kind: MergedKind; ids: string[] }, Merge & { external_id: string }>(
  'merges_by_external_ids',
  ($) =>
    knex.raw(
      `select distinct on (external_id) id, merged_into, external_id from merges
      where kind = ? and external_id = any(?::text[])
      order by external_id, merged_at desc, id desc`,
      [$('kind'), $('ids')],
    ),
);

/** The leads or contacts that gave up one of these external ids, because the one that stayed had its own. */
export async function findMergesByExternalIds(db: Db, kind: MergedKind, ids: readonly string[]) {
  return ids.length === 0 ? [] : db.run(byExternalIds({ kind, ids: [...ids] }));
}

const byEmails = prepare<{ kind: MergedKind; emails: string[] }, { email: string; merged_into: string }>(
  'merges_by_emails',
  ($) =>
    knex.raw(
      `with given as materialized (select ?::text[] as wanted)
      select distinct on (email) email, merged_into
      from given, merges cross join lateral unnest(emails) as email
      where kind = ? and emails <> '{}' and emails && wanted and email = any(wanted)
      order by email, merged_at desc, id desc`,
      [$('emails'), $('kind')],
    ),
);

/**
 * What the leads or contacts with these addresses were merged into (UUIDs), by address in lower case, if it had no room for
 * them. One that has such an address now is not meant: look for that first.
 */
export async function findMergesByEmails(
  db: Db,
  kind: MergedKind,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map();
  const wanted = emails.map((email) => email.toLowerCase());
  const found = await db.run(byEmails({ kind, emails: wanted }));
  return new Map(found.map(({ email, merged_into }) => [email, merged_into]));
}

const mergedInto = prepare<{ ids: string[] }, { id: string }>('merges_into', ($) =>
  knex('merges')
    .where('merged_into', knex.raw('any(?::uuid[])', [$('ids')]))
    .orderBy('id')
    .select('id'),
);

/** The leads or contacts (UUIDs) that were merged into these. */
export async function findMergedInto(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.run(mergedInto({ ids }));
  return rows.map(({ id }) => id);
}

type NewMerge = Omit<MergeRow, 'kind'>;

const insertion = prepare<NewMerge & { kind: MergedKind }, never>('insert_merge', ($) =>
  knex.raw(
    `with repointed as (
      update merges set merged_into = ?::uuid where merged_into = ?::uuid
    )
    insert into merges (id, kind, merged_into, external_id, emails) values (?, ?, ?, ?, ?::text[])`,
    [$('merged_into'), $('id'), $('id'), $('kind'), $('merged_into'), $('external_id'), $('emails')],
  ),
);

/** Stores that one was merged into another, as is now everything that had been merged into the first. Both are locked. */
export async function insertMerge(db: Db, kind: MergedKind, merge: NewMerge): Promise<void> {
  await db.run(insertion({ kind, ...merge }));
}

/** The merge that removed this lead or contact. */
export async function findMerge(db: Db, id: string): Promise<Merge | undefined> {
  return first(db, byIds({ ids: [id] }));
}
