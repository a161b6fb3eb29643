import { recordUpdated } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { ok } from '../http/responses.ts';
import { distinct, patchMetadata } from '../resource/fields.ts';
import { lock, update } from '../resource/rows.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';

export async function updateContact(
  input: Input<'updateContact'>,
  context: OperationContext,
): Promise<Result<'updateContact'>> {
  const { tags, assigned_user_id: assignee, metadata, ...fields } = input.body;
  const before = await lock(context.db, contacts, input);
  const changes = {
    ...fields,
    tags: distinct(tags),
    assigned_user_id: await resolveUser(context.db, 'assigned_user_id', assignee, before.assigned_user_id),
    metadata: patchMetadata(before.metadata, metadata),
  };
  const contact = toContact(await update(context, contacts, before, changes));
  await recordUpdated(context, 'contact', toContact(before), contact);
  return ok(contact);
}
