import type { Input, OperationContext, Result } from '../http/operation.ts';
import { deleted } from '../http/resource.ts';
import { users } from './queries.ts';

export async function deleteUser(
  input: Input<'deleteUser'>,
  context: OperationContext,
): Promise<Result<'deleteUser'>> {
  return deleted(
    users,
    input,
    context,
    'user_in_use',
    'has leads, contacts or content assigned; deactivate it instead',
  );
}
