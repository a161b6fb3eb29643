import { newUuid } from '../db/id.ts';
import { recordCreated } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { distinct } from '../resource/fields.ts';
import { insert } from '../resource/rows.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';
import type { ContactRow } from './tables.ts';

/** Adds a contact. Throws 422 for a duplicate or an unknown assignee. */
export async function addContact(
  contact: Schema<'CreateContact'>,
  context: OperationContext,
): Promise<ContactRow> {
  const { email = null, phone = null, company = null, title = null, external_id = null } = contact;
  const assignee = await resolveUser(context.db, 'assigned_user_id', contact.assigned_user_id);
  const added = await insert(context, contacts, {
    id: newUuid(),
    name: contact.name,
    ...{ email, phone, company, title, external_id },
    tags: distinct(contact.tags),
    assigned_user_id: assignee ?? null,
    metadata: contact.metadata,
  });
  await recordCreated(context, 'contact', toContact(added));
  return added;
}
