import { noStore, ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { replaceSecret } from './change-client.ts';
import { toClientWithSecret } from './client.ts';
import { clients } from './queries.ts';

export async function rotateClientSecret(
  input: Input<'rotateClientSecret'>,
  context: OperationContext,
): Promise<Result<'rotateClientSecret'>> {
  const before = await lockOrThrow(context.db, clients, input);
  const { revoke_tokens: revokeTokens = false } = input.body;
  const { row, secret } = await replaceSecret(context, before, { revokeTokens });
  return noStore(ok(toClientWithSecret(row, secret)));
}
