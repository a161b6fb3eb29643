import type { Input, OperationContext, Result } from '../operation.ts';
import { notFound } from '../problem.ts';
import { toNullableId } from '../values/id.ts';

export async function getCurrentClient(
  _input: Input<'getCurrentClient'>,
  { principal, environment }: OperationContext,
): Promise<Result<'getCurrentClient'>> {
  if (principal.credential === 'none') throw notFound('The client');
  return {
    status: 200,
    body: {
      data: {
        client_id: principal.publicId,
        name: principal.clientName,
        user_id: toNullableId('user', principal.userId),
        environment,
        scopes: [...principal.scopes],
        credential: principal.credential,
        key: principal.key,
        expires_at: principal.expiresAt?.toISOString() ?? null,
      },
    },
  };
}
