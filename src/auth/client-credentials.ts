import type { OperationContext } from '../operation.ts';
import { invalidField, Problem } from '../problem.ts';
import { toUuid } from '../values/id.ts';
import { hasSecretFormat, secretMatches } from '../values/secrets.ts';
import { findClient } from './queries.ts';
import type { ApiClientRow } from './tables.ts';

interface CredentialFields {
  client_id?: string;
  client_secret?: string;
}

const UNKNOWN_CLIENT = '00000000-0000-0000-0000-000000000000';

/**
 * Authenticates an API client by credentials in the body or an HTTP Basic header (RFC 6749 section 2.3.1). An unknown
 * client and a wrong secret take the same time, get the same error, and count the same. If both are sent, they must be the same.
 */
export async function authenticateClient(
  context: Pick<OperationContext, 'db' | 'environment' | 'headers' | 'limitBadSecrets'>,
  body: CredentialFields,
): Promise<ApiClientRow> {
  const { headers, limitBadSecrets } = context;
  const basic = basicCredentials(headers.authorization);
  const { client_id: id, client_secret: secret } = basic ?? body;
  if (id === undefined) throw invalidField('client_id', 'is required, in the body or by HTTP Basic');
  if (secret === undefined) throw invalidField('client_secret', 'is required, in the body or by HTTP Basic');
  const limitAttempt = limitBadSecrets(id);
  const client = await limitAttempt(async () =>
    contradicts(body, basic) ? undefined : findEnabledClient(context, id, secret),
  );
  if (client !== undefined) return client;
  throw new Problem(
    'invalid_client',
    'The API client is unknown or disabled in this environment, or its secret is wrong.',
  );
}

/** Some libraries send the client's id, or both, in the body too. */
function contradicts(body: CredentialFields, basic: CredentialFields | undefined): boolean {
  if (basic === undefined) return false;
  const { client_id: id = basic.client_id, client_secret: secret = basic.client_secret } = body;
  return id !== basic.client_id || secret !== basic.client_secret;
}

async function findEnabledClient(
  { db, environment }: Pick<OperationContext, 'db' | 'environment'>,
  id: string,
  secret: string,
): Promise<ApiClientRow | undefined> {
  const client = await findClient(db, toUuid('client', id) ?? UNKNOWN_CLIENT);
  // The prefix counts too: a copy of the other environment's database has the hashes of its secrets.
  const isAuthentic =
    secretMatches(secret, client?.secret_hash) && hasSecretFormat('secret', environment, secret);
  return isAuthentic && client?.disabled_at === null ? client : undefined;
}

function basicCredentials(authorization: string | undefined): CredentialFields | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon === -1) return undefined;
  return {
    client_id: formDecode(decoded.slice(0, colon)),
    client_secret: formDecode(decoded.slice(colon + 1)),
  };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
