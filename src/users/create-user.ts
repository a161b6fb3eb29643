import type { Input, OperationContext, Result } from '../http/operation.ts';
import { created } from '../http/resource.ts';
import { addUser } from './add-user.ts';
import { toUser } from './user.ts';

export async function createUser(
  { body }: Input<'createUser'>,
  context: OperationContext,
): Promise<Result<'createUser'>> {
  return created(`${context.baseUrl}/users`, toUser(await addUser(body, context)));
}
