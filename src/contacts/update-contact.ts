import { recordUpdated } from '../events/record-change.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lock, update } from '../resource/rows.ts';
import { lockActiveUsers } from '../users/resolve-user.ts';
import { toNullableId } from '../values/id.ts';
import { patchedContact } from './change-contact.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';

export async function updateContact(
  input: Input<'updateContact'>,
  context: OperationContext,
): Promise<Result<'updateContact'>> {
  const { assigned_user_id: assignee } = input.body;
  const before = await lock(context.db, contacts, input);
  const isCurrent = assignee === toNullableId('user', before.assigned_user_id);
  const active = await lockActiveUsers(context.db, isCurrent ? [] : [assignee]);
  const contact = toContact(
    await update(context, contacts, before, patchedContact(before, input.body, active)),
  );
  await recordUpdated(context, 'contact', toContact(before), contact);
  return ok(contact);
}
