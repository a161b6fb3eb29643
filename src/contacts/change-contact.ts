import type { ContactRow } from '../db/tables.ts';
import { distinct, patchedMetadata } from '../http/fields.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { contacts } from './queries.ts';

/** Applies a merge patch. */
export async function changeContact(
  before: ContactRow,
  patch: Schema<'UpdateContact'>,
  { db, principal }: OperationContext,
): Promise<ContactRow> {
  const { assigned_user_id: assignee, tags, metadata, ...texts } = patch;
  const wanted = {
    ...texts,
    tags: distinct(tags),
    assigned_user_id: await resolveUser(db, 'assigned_user_id', assignee, before.assigned_user_id),
    metadata: patchedMetadata(before.metadata, metadata),
  };
  return change(db, contacts, before, wanted, principal);
}
