import { brokenConstraint } from '../db/errors.ts';
import { toNullableId } from '../db/id.ts';
import type { LeadRow } from '../db/tables.ts';
import { etag } from '../http/conditional.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { invalidField } from '../http/problem.ts';
import { differences, mergeTexts } from '../merge-patch.ts';
import { checkLostReason, toLead } from './lead.ts';
import { lockLeadAt } from './lock-lead.ts';
import { updateLeadRow } from './queries.ts';
import { findDuplicate, resolveReferences, translateReference } from './references.ts';

const MAX_METADATA = 50;

export async function updateLead(
  { path, headers, body }: Input<'updateLead'>,
  context: OperationContext,
): Promise<Result<'updateLead'>> {
  const before = await lockLeadAt(context.db, path.id, headers['if-match']);
  const row = await changeLead(before, body, context);
  return { status: 200, headers: { ETag: etag(row.version) }, body: { data: toLead(row) } };
}

/** Applies a merge patch; one that changes nothing leaves version and times alone. */
async function changeLead(
  before: LeadRow,
  patch: Input<'updateLead'>['body'],
  { db, principal, requestId }: OperationContext,
): Promise<LeadRow> {
  const status = patch.status ?? before.status;
  checkLostReason(status, patch.lost_reason);
  const metadata = mergeTexts(before.metadata, patch.metadata);
  if (Object.keys(metadata).length > MAX_METADATA) {
    throw invalidField('metadata', `must not have more than ${MAX_METADATA} keys after the change`);
  }
  // Who was made inactive may stay the assignee, but nobody inactive becomes it.
  const keepsAssignee = patch.assigned_user_id === toNullableId('user', before.assigned_user_id);
  const references = await resolveReferences(db, keepsAssignee ? { content_id: patch.content_id } : patch);
  const changes = differences<LeadRow>(before, {
    name: patch.name,
    email: patch.email,
    phone: patch.phone,
    status,
    source: patch.source,
    company: patch.company,
    tags: patch.tags === undefined ? undefined : [...new Set(patch.tags)],
    ...references,
    external_id: patch.external_id,
    lost_reason: status === 'lost' ? patch.lost_reason : null,
    metadata,
  });
  if (Object.keys(changes).length === 0) return before;
  const actor = { actor_id: principal.clientId, request_id: requestId };
  if (changes.email === undefined && !changes.external_id) {
    return updateLeadRow(db, before, changes, actor).catch((error: unknown) => {
      throw translateReference(error);
    });
  }
  // A savepoint keeps the transaction usable, so that the other lead can be looked up.
  return db
    .transaction((savepoint) => updateLeadRow(savepoint, before, changes, actor))
    .catch(async (error: unknown) => {
      if (!brokenConstraint(error)?.endsWith('_key')) throw translateReference(error);
      throw (await findDuplicate(db, { ...before, ...changes }, principal)) ?? error;
    });
}
