import { writeAct } from '../audit-log/log-act.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { authenticateClient } from './client-credentials.ts';

/** RFC 7009: 200 whether or not the token belongs to this client, so that clients can't probe tokens. */
export async function revokeToken(
  { body }: Input<'revokeToken'>,
  context: OperationContext,
): Promise<Result<'revokeToken'>> {
  const client = await authenticateClient(context, body);
  const client_id = toId('client', client.id);
  const isRevoked = await context.auth.revokeToken(body.token, client_id);
  const actor = { type: 'client' as const, id: client.id };
  if (isRevoked) writeAct({ ...context, actor }, 'token.revoked', { client_id });
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: {} };
}
