import { contents } from '../content/queries.ts';
import { anyOf, refersTo } from '../db/list/filters.ts';
import { openStatuses } from '../leads/tables.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { namesOf } from '../users/named-by.ts';
import { users } from '../users/queries.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { newUuid } from '../values/id.ts';
import { createJob, requireRoom } from './create-job.ts';
import { acceptedJob } from './job.ts';
import { type Stored, storeMatching } from './queries.ts';
import { changeable } from './resources.ts';

/** What users have, with the column that refers to them. */
const owned = [
  { resource: 'leads', source: changeable.leads.source, owner: 'assigned_user_id' },
  { resource: 'contacts', source: changeable.contacts.source, owner: 'assigned_user_id' },
  { resource: 'content', source: contents, owner: 'author_user_id' },
] as const;

/**
 * Queues a job that gives everything of a user to another one or to nobody. Closed leads stay unless `include_closed`: past
 * revenue belongs to the user who closed them.
 */
export async function reassign(
  { path, body: { to, include_closed, dry_run } }: Pick<Input<'reassignUser'>, 'path' | 'body'>,
  context: OperationContext,
): Promise<Result<'reassignUser'>> {
  const { db, baseUrl } = context;
  await lockOrThrow(db, users, { path, headers: {} }, 'key share');
  if (to === path.id) throw invalidField('to', 'is the user who has them already');
  await resolveUser(db, 'to', to);
  await requireRoom(context);
  const id = newUuid();
  const totals: Record<string, number> = {};
  let stored: Stored = { chunks: 0, rows: 0 };
  for (const { resource, source, owner } of owned) {
    const own = refersTo(owner, 'user')(path.id);
    const conditions = resource === 'leads' && !include_closed ? [own, anyOf('status')(openStatuses)] : [own];
    const after = await storeMatching(db, id, resource, { source, conditions, search: undefined }, stored);
    totals[resource] = after.rows - stored.rows;
    stored = after;
  }
  const named_by = await namesOf(db, path.id);
  const options = { filter: null, action: { reassign: { from: path.id, to, include_closed, named_by } } };
  const job = await createJob({ id, kind: 'reassign', options, dry_run, totals }, context);
  return acceptedJob(job, baseUrl);
}
