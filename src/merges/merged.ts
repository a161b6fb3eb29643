import type { Db } from '../db/db.ts';
import { notFound, Problem } from '../problem.ts';
import { type IdPrefix, toId, toUuid } from '../values/id.ts';
import { findMerge, findMergesByExternalIds, type Merge, type MergedKind } from './queries.ts';

/** The 404 for an id that nothing has, or the 410 if it was merged into another one. */
export async function missing(db: Db, prefix: IdPrefix, id: string): Promise<Problem> {
  const uuid = isMergedKind(prefix) ? toUuid(prefix, id) : undefined;
  const merge = uuid === undefined ? undefined : await findMerge(db, uuid);
  return merge === undefined ? notFound(`The ${prefix} ${id}`) : merged(prefix, id, merge);
}

/** The same for an id of the client's own. */
export async function missingByExternalId(db: Db, prefix: IdPrefix, externalId: string): Promise<Problem> {
  const what = `with the external_id ${externalId}`;
  const [merge] = isMergedKind(prefix) ? await findMergesByExternalIds(db, prefix, [externalId]) : [];
  return merge === undefined ? notFound(`The ${prefix} ${what}`) : merged(prefix, what, merge);
}

/** The 410 for what was merged into another one. */
export function merged(prefix: IdPrefix, what: string, { merged_into }: Merge, field?: string): Problem {
  const survivor = toId(prefix, merged_into);
  return new Problem('merged', `The ${prefix} ${what} was merged into ${survivor}.`, {
    details: {
      merged_into: survivor,
      ...(field !== undefined && { errors: { [field]: [`was merged into ${survivor}`] } }),
    },
  });
}

export function isMergedKind(prefix: IdPrefix): prefix is MergedKind {
  return prefix === 'lead' || prefix === 'contact';
}
