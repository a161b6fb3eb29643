import { recordDeleted } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent, remove } from '../http/resource.ts';
import { users } from './queries.ts';

export async function deleteUser(
  input: Input<'deleteUser'>,
  context: OperationContext,
): Promise<Result<'deleteUser'>> {
  const { id } = await remove(
    users,
    input,
    context,
    'user_in_use',
    'has leads, contacts, content or inbound hooks assigned; deactivate it instead',
  );
  await recordDeleted(context, 'user', id);
  return noContent;
}
