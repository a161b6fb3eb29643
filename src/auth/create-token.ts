import { toId } from '../db/id.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { invalidField } from '../http/problem.ts';
import { authenticateClient } from './client-credentials.ts';
import { covers, knownScopes, parseScopes } from './scopes.ts';
import { TOKEN_LIFETIME } from './signing-keys.ts';

export async function createToken(
  { body }: Input<'createToken'>,
  { db, auth, headers, countGrant }: OperationContext,
): Promise<Result<'createToken'>> {
  const client = await authenticateClient(db, headers.authorization, body);
  const scopes = body.scope === undefined ? client.scopes : narrow(client.scopes, body.scope);
  // Only what is granted counts, so that nobody can lock a client out with wrong secrets.
  const limits = await countGrant(client.id);
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-store', ...limits },
    body: {
      access_token: await auth.issueToken(toId('client', client.id), scopes),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME,
      scope: scopes.join(' '),
    },
  };
}

/** The asked scopes, each of which the client must hold. Asking for none is asking for all. */
function narrow(granted: readonly string[], asked: string): readonly string[] {
  const scopes = parseScopes(asked);
  if (scopes.length === 0) return granted;
  for (const scope of scopes) {
    if (!(knownScopes as readonly string[]).includes(scope)) {
      throw invalidField(
        'scope',
        `"${scope}" is not a scope; known are ${knownScopes.join(', ')}`,
        'invalid_scope',
      );
    }
    if (!covers(granted, scope)) {
      throw invalidField(
        'scope',
        `"${scope}" is not granted to this client, which has ${granted.join(', ')}`,
        'invalid_scope',
      );
    }
  }
  return scopes;
}
