import { recordDeleted } from '../events/record-change.ts';
import { noContent } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { deleteOrThrow } from '../resource/rows.ts';
import { users } from '../users/queries.ts';
import { eraseUser } from './erase-people.ts';

export async function deleteUser(
  input: Pick<Input<'deleteUser'>, 'path' | 'headers'>,
  context: OperationContext,
): Promise<Result<'deleteUser'>> {
  const { id, email } = await deleteOrThrow(context.db, users, input, {
    code: 'user_in_use',
    message: 'This user has assigned leads, contacts, content or inbound hooks. Deactivate the user instead.',
    constraints: [
      'leads_assigned_user_id_fkey',
      'contacts_assigned_user_id_fkey',
      'content_author_user_id_fkey',
      'inbound_hooks_assigned_user_id_fkey',
    ],
  });
  await recordDeleted(context, 'user', id);
  await eraseUser(context.db, { id, email });
  return noContent;
}
