import { created, noStore } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { mergeMap } from '../values/merge-patch.ts';
import { addClient } from './change-client.ts';
import { toClientWithSecret } from './client.ts';

export async function createClient(
  { body }: Input<'createClient'>,
  context: OperationContext,
): Promise<Result<'createClient'>> {
  const userId = (await resolveUser(context.db, 'user_id', body.user_id)) ?? null;
  const limits = mergeMap({}, body.limits);
  const { row, secret } = await addClient(context, { ...body, userId, limits });
  return noStore(created(`${context.baseUrl}/clients`, toClientWithSecret(row, secret)));
}
