import { notFound } from '../http/errors/problem.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';

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
        environment,
        scopes: [...principal.scopes],
        credential: principal.credential,
        expires_at: principal.expiresAt?.toISOString() ?? null,
      },
    },
  };
}
