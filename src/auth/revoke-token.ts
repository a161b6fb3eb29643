import { toId } from '../db/id.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { authenticateClient } from './client-credentials.ts';

/** RFC 7009: 200 whether or not the token belongs to this client, so that clients can't probe tokens. */
export async function revokeToken(
  { body }: Input<'revokeToken'>,
  context: OperationContext,
): Promise<Result<'revokeToken'>> {
  const client = await authenticateClient(context, body);
  await context.auth.revokeToken(body.token, toId('client', client.id));
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: {} };
}
