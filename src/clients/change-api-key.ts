import type { Author } from '../audit-log/log-act.ts';
import { recordAct } from '../audit-log/record-act.ts';
import { apiKeys } from '../auth/queries.ts';
import { keySubject } from '../auth/revoke-key.ts';
import type { ApiClientRow, ApiKeyRow } from '../auth/tables.ts';
import { one } from '../db/db.ts';
import { invalidField } from '../problem.ts';
import { covers } from '../scopes.ts';
import { newUuid } from '../values/id.ts';
import { hashSecret, newSecret } from '../values/secrets.ts';

/** Characters of a key that are shown, to recognize it. 24 of its 256 bits: the others can't be guessed. */
const HINT_LENGTH = 4;

interface NewApiKey {
  name: string;
  /** Undefined: all scopes of the client. */
  scopes: readonly string[] | undefined;
  expiresAt: Date | null;
}

/** Inserts a key for a locked client. Only this returns the key itself; its SHA-256 is stored. Throws 422. */
export async function addApiKey(
  author: Author,
  client: ApiClientRow,
  { name, scopes = client.scopes, expiresAt }: NewApiKey,
): Promise<{ row: ApiKeyRow; apiKey: string }> {
  if (client.disabled_at !== null) throw invalidField('id', 'This client is disabled. Enable it first.');
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw invalidField('expires_at', 'must be in the future');
  }
  const excess = scopes.find((scope) => !covers(client.scopes, scope));
  if (excess !== undefined) {
    throw invalidField(
      'scopes',
      `"${excess}" is not granted to the client, which has ${client.scopes.join(', ')}`,
      'invalid_scope',
    );
  }
  const apiKey = newSecret('apiKey', author.environment);
  const insertion = apiKeys.statements.insert({
    id: newUuid(),
    client_id: client.id,
    name,
    scopes: [...new Set(scopes)],
    key_hash: hashSecret(apiKey),
    hint: apiKey.slice(-HINT_LENGTH),
    expires_at: expiresAt?.toISOString() ?? null,
  });
  const row = await one(author.db, insertion);
  await recordAct(author, 'key.created', keySubject(row));
  return { row, apiKey };
}
