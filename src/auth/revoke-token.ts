import { logAct } from '../audit-log/log-act.ts';
import { lockRow } from '../db/resource.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toId } from '../values/id.ts';
import { hashSecret, hasSecretFormat } from '../values/secrets.ts';
import { authenticateClient } from './client-credentials.ts';
import { apiKeys, findApiKey, insertRevokedToken } from './queries.ts';
import { revokeKey } from './revoke-key.ts';

const done: Result<'revokeToken'> = { status: 200, headers: { 'Cache-Control': 'no-store' }, body: {} };

/**
 * RFC 7009: 200 whether or not the token is valid and belongs to this client, so that clients can't probe tokens. An API key
 * needs no credentials: it is one itself.
 */
export async function revokeToken(
  { body }: Input<'revokeToken'>,
  context: OperationContext,
): Promise<Result<'revokeToken'>> {
  if (hasSecretFormat('apiKey', context.environment, body.token)) return revokeByItself(body, context);
  const client = await authenticateClient(context, body);
  const client_id = toId('client', client.id);
  const claims = await context.auth.readToken(body.token);
  return context.write(body, async (db) => {
    if (claims?.clientId === client_id) {
      await insertRevokedToken(db, claims.jti, claims.expiresAt);
      // Other processes are notified. In this one the next request may arrive before the notification.
      db.afterCommit(context.auth.forget);
      logAct({ ...context, db, actor: { type: 'client', id: client.id, userId: null } }, 'token.revoked', {
        client_id,
      });
    }
    return done;
  });
}

async function revokeByItself(
  body: Input<'revokeToken'>['body'],
  context: OperationContext,
): Promise<Result<'revokeToken'>> {
  const found = await findApiKey(context.db, hashSecret(body.token));
  return context.write(body, async (db) => {
    const key = found && (await lockRow(db, apiKeys, found.id, 'no key update'));
    if (key !== undefined) {
      await revokeKey({ ...context, db, actor: { type: 'client', id: key.client_id, userId: null } }, key);
      db.afterCommit(context.auth.forget);
    }
    return done;
  });
}
