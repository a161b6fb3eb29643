import type { RowValues } from '../db/row-statements.ts';
import type { Schema } from '../operation.ts';
import { distinct, emailFields, merged, patchEmails, patchMetadata, patchTags } from '../resource/fields.ts';
import { type ActiveUsers, activeUser } from '../users/resolve-user.ts';
import { newUuid } from '../values/id.ts';
import type { ContactRow } from './tables.ts';

/** The row of a new contact. Throws 422 for an inactive assignee. */
export function newContact(contact: Schema<'CreateContact'>, active: ActiveUsers) {
  const { email = null, phone = null, company = null, title = null, external_id = null } = contact;
  const assignee = activeUser(active, 'assigned_user_id', contact.assigned_user_id);
  return {
    id: newUuid(),
    name: contact.name,
    ...emailFields(email, contact.other_emails ?? []),
    ...{ phone, company, title, external_id },
    tags: distinct(contact.tags),
    assigned_user_id: assignee ?? null,
    next_step: contact.next_step ?? null,
    next_step_at: contact.next_step_at ?? null,
    metadata: contact.metadata,
  };
}

/** The columns that a merge patch changes. Throws 422 for an inactive assignee or too much metadata. */
export function patchedContact(
  before: ContactRow,
  { email, other_emails, assigned_user_id: assignee, metadata, ...patch }: Schema<'UpdateContact'>,
  active: ActiveUsers,
): RowValues<ContactRow> {
  const { tags, add_tags, remove_tags, ...fields } = patch;
  return {
    ...fields,
    ...patchEmails(before, { email, other_emails }),
    tags: patchTags(before.tags, { tags, add_tags, remove_tags }),
    assigned_user_id: activeUser(active, 'assigned_user_id', assignee, before.assigned_user_id),
    metadata: patchMetadata(before.metadata, metadata),
  };
}

/** Fills the empty fields of a contact and adds tags and metadata, up to their limits. Never overwrites a value. */
export function mergedContact(
  before: ContactRow,
  contact: Schema<'UpdateContact'>,
  active: ActiveUsers,
): RowValues<ContactRow> {
  const assignee = before.assigned_user_id === null ? contact.assigned_user_id : undefined;
  return {
    ...merged(before, contact),
    email: before.email ?? contact.email ?? null,
    title: before.title ?? contact.title ?? null,
    assigned_user_id: activeUser(active, 'assigned_user_id', assignee),
  };
}
