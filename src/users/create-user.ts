import { recordCreated } from '../events/record-change.ts';
import { created } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { insertOrThrow } from '../resource/rows.ts';
import { newUuid } from '../values/id.ts';
import { users } from './queries.ts';
import { toUser } from './user.ts';

export async function createUser(
  { body: { name, email, active } }: Input<'createUser'>,
  context: OperationContext,
): Promise<Result<'createUser'>> {
  const user = toUser(await insertOrThrow(context, users, { id: newUuid(), name, email, active }));
  await recordCreated(context, 'user', user);
  return created(`${context.baseUrl}/users`, user);
}
