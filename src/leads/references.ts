import { contents } from '../content/queries.ts';
import type { Db } from '../db/db.ts';
import { lockReferenced } from '../resource/rows.ts';
import { resolveUser } from '../users/resolve-user.ts';
import type { LeadRow } from './tables.ts';

/** References to other resources. Undefined leaves a reference unchanged, null clears it. */
type References = Partial<Pick<LeadRow, 'assigned_user_id' | 'content_id'>>;

/**
 * Resolves the public ids that a lead, or an inbound hook, refers to, into UUIDs. Throws 422 for an unknown id or an
 * inactive assignee.
 */
export async function resolveReferences(
  db: Db,
  { assigned_user_id: user, content_id: content }: References,
  before?: Pick<LeadRow, 'assigned_user_id'>,
): Promise<References> {
  return {
    assigned_user_id: await resolveUser(db, 'assigned_user_id', user, before?.assigned_user_id),
    content_id:
      typeof content === 'string'
        ? (await lockReferenced(db, contents, 'content_id', content, 'existing content')).id
        : content,
  };
}
