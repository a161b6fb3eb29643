import { recordCreated } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { distinct } from '../resource/fields.ts';
import { insert } from '../resource/rows.ts';
import { type ActiveUsers, activeUser, lockActiveUsers } from '../users/resolve-user.ts';
import { newUuid } from '../values/id.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';
import type { ContactRow } from './tables.ts';

/** The row of a new contact. Throws 422 for an assignee who is not among the active users. */
export function newContact(contact: Schema<'CreateContact'>, active: ActiveUsers) {
  const { email = null, phone = null, company = null, title = null, external_id = null } = contact;
  const assignee = activeUser(active, 'assigned_user_id', contact.assigned_user_id);
  return {
    id: newUuid(),
    name: contact.name,
    ...{ email, phone, company, title, external_id },
    tags: distinct(contact.tags),
    assigned_user_id: assignee ?? null,
    metadata: contact.metadata,
  };
}

/** Adds a contact. Throws 422 for a duplicate or an unknown assignee. */
export async function addContact(
  contact: Schema<'CreateContact'>,
  context: OperationContext,
): Promise<ContactRow> {
  const active = await lockActiveUsers(context.db, [contact.assigned_user_id]);
  const added = await insert(context, contacts, newContact(contact, active));
  await recordCreated(context, 'contact', toContact(added));
  return added;
}
