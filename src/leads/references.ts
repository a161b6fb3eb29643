import { contents } from '../content/queries.ts';
import type { Db } from '../db/knex.ts';
import type { LeadRow } from '../db/tables.ts';
import { lockReferenced } from '../http/resource.ts';
import { resolveUser } from '../users/resolve-user.ts';

/** What a client names by id: undefined where it says nothing, null where it clears. */
type References = Partial<Pick<LeadRow, 'assigned_user_id' | 'content_id'>>;

/** The uuids of what a lead, or a hook that makes leads, refers to. Throws 422 for what does not exist, and for an assignee who is inactive. */
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
