import type { Input, OperationContext, Result } from '../operation.ts';
import { notFound } from '../problem.ts';
import { toId, toNullableId } from '../values/id.ts';

export async function getCurrentClient(
  _input: Input<'getCurrentClient'>,
  { auth, principal, environment, limits }: OperationContext,
): Promise<Result<'getCurrentClient'>> {
  if (principal.credential === 'none') throw notFound('The client');
  const { key, userId } = principal;
  const isActing = userId !== null && (await auth.isActiveUser(userId));
  return {
    status: 200,
    body: {
      data: {
        client_id: principal.publicId,
        name: principal.clientName,
        user_id: toNullableId('user', isActing ? userId : null),
        environment,
        scopes: [...principal.scopes],
        limits: limits(),
        credential: principal.credential,
        key: key && { ...key, id: toId('key', key.id) },
        expires_at: principal.expiresAt?.toISOString() ?? null,
      },
    },
  };
}
