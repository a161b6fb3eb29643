import type { ContactRow } from '../db/tables.ts';
import { recordChange } from '../events/record-change.ts';
import { distinct, patchedMetadata } from '../http/fields.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';

/** Applies a JSON Merge Patch (RFC 7396). */
export async function changeContact(
  before: ContactRow,
  patch: Schema<'UpdateContact'>,
  context: OperationContext,
): Promise<ContactRow> {
  const { db, principal } = context;
  const { assigned_user_id: assignee, tags, metadata, ...fields } = patch;
  const changes = {
    ...fields,
    tags: distinct(tags),
    assigned_user_id: await resolveUser(db, 'assigned_user_id', assignee, before.assigned_user_id),
    metadata: patchedMetadata(before.metadata, metadata),
  };
  const after = await change(db, contacts, before, changes, principal);
  await recordChange(context, 'contact', toContact, before, after);
  return after;
}
