import { logAct } from '../audit-log/log-act.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { authenticateClient } from './client-credentials.ts';
import { insertRevokedToken } from './queries.ts';

/** RFC 7009: 200 whether or not the token is valid and belongs to this client, so that clients can't probe tokens. */
export async function revokeToken(
  { body }: Input<'revokeToken'>,
  context: OperationContext,
): Promise<Result<'revokeToken'>> {
  const client = await authenticateClient(context, body);
  const client_id = toId('client', client.id);
  const claims = await context.auth.readToken(body.token);
  return context.write(body, async (db) => {
    if (claims?.clientId === client_id) {
      await insertRevokedToken(db, claims.jti, claims.expiresAt);
      // Other processes are notified. In this one the next request may arrive before the notification.
      db.afterCommit(context.auth.forget);
      logAct({ ...context, db, actor: { type: 'client', id: client.id } }, 'token.revoked', { client_id });
    }
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: {} };
  });
}
