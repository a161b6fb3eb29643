import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { covers, knownScopes, parseScopes } from '../scopes.ts';
import { toId } from '../values/id.ts';
import { authenticateClient } from './client-credentials.ts';
import { TOKEN_LIFETIME } from './signing-keys.ts';

export async function createToken(
  { body }: Input<'createToken'>,
  context: OperationContext,
): Promise<Result<'createToken'>> {
  const { auth, environment, countGrant } = context;
  const { expires_in: lifetime = TOKEN_LIFETIME } = body;
  if (body.expires_in !== undefined && environment === 'production') {
    throw invalidField('expires_in', 'can be chosen in the sandbox only; leave it out in production');
  }
  const client = await authenticateClient(context, body);
  const scopes = body.scope === undefined ? client.scopes : grantedScopes(client.scopes, body.scope);
  // Only granted tokens count, so that wrong secrets from elsewhere can't use up the quota of a client.
  await countGrant(client.id);
  const owner = { clientId: toId('client', client.id), generation: client.token_generation };
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: {
      access_token: await auth.issueToken(owner, scopes, lifetime),
      token_type: 'Bearer',
      expires_in: lifetime,
      scope: scopes.join(' '),
    },
  };
}

/** The requested scopes, or all of the client's if none are requested. Throws 422 if one is unknown or not granted. */
function grantedScopes(granted: readonly string[], requested: string): readonly string[] {
  const scopes = parseScopes(requested);
  if (scopes.length === 0) return granted;
  for (const scope of scopes) {
    if (!(knownScopes as readonly string[]).includes(scope)) {
      throw invalidField(
        'scope',
        `"${scope}" is not a scope; valid scopes are ${knownScopes.join(', ')}`,
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
