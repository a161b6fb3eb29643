import { newUuid, toId, toUuid } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import type { ApiClientRow, ApiKeyRow } from '../db/tables.ts';
import type { Environment } from '../environment.ts';
import { findClients, findKeys, insertApiKey, insertClient, updateApiKey, updateClient } from './queries.ts';
import { covers, knownScopes } from './scopes.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** A request of the operator that can't be carried out; its message is for them. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

export interface ClientCredentials {
  client_id: string;
  /** Shown this once; only its SHA-256 is stored. */
  client_secret: string;
}

export async function createClient(
  db: Db,
  environment: Environment,
  { name, scopes }: { name: string; scopes: readonly string[] },
): Promise<ClientCredentials> {
  checkScopes(scopes);
  const id = newUuid();
  const secret = newSecret('secret', environment);
  await insertClient(db, { id, name, scopes: [...scopes], secret_hash: hashSecret(secret) });
  return { client_id: toId('client', id), client_secret: secret };
}

export async function listClients(db: Db) {
  return (await findClients(db)).map(describeClient);
}

/** The old secret is refused at once; tokens that it got live on until they expire. */
export async function rotateSecret(
  db: Db,
  environment: Environment,
  clientId: string,
): Promise<ClientCredentials> {
  const secret = newSecret('secret', environment);
  const found = await updateClient(db, clientUuid(clientId), { secret_hash: hashSecret(secret) });
  if (!found) throw unknown('client', clientId);
  return { client_id: clientId, client_secret: secret };
}

/** Its secret, tokens and API keys are refused from now on, on every process within a second. */
export async function disableClient(db: Db, clientId: string): Promise<void> {
  const found = await updateClient(db, clientUuid(clientId), { disabled_at: db.fn.now() });
  if (!found) throw unknown('client', clientId);
}

export async function createApiKey(
  db: Db,
  environment: Environment,
  key: { clientId: string; name: string; scopes: readonly string[]; expiresAt: Date | null },
) {
  checkScopes(key.scopes);
  const clientId = clientUuid(key.clientId);
  const client = (await findClients(db)).find(({ id }) => id === clientId);
  if (client === undefined) throw unknown('client', key.clientId);
  const tooMuch = key.scopes.find((scope) => !covers(client.scopes, scope));
  if (tooMuch !== undefined) {
    throw new OperatorError(
      `The client has not the scope ${tooMuch} itself, only ${client.scopes.join(' ')}.`,
    );
  }
  const apiKey = newSecret('apiKey', environment);
  const id = newUuid();
  await insertApiKey(db, {
    id,
    client_id: clientId,
    name: key.name,
    scopes: [...key.scopes],
    key_hash: hashSecret(apiKey),
    expires_at: key.expiresAt,
  });
  return { key_id: toId('key', id), api_key: apiKey };
}

export async function listApiKeys(db: Db, clientId: string | undefined) {
  return (await findKeys(db, clientId === undefined ? undefined : clientUuid(clientId))).map(describeKey);
}

export async function revokeApiKey(db: Db, keyId: string): Promise<void> {
  const uuid = toUuid('key', keyId);
  const found = uuid !== undefined && (await updateApiKey(db, uuid, { revoked_at: db.fn.now() }));
  if (!found) throw unknown('API key', keyId);
}

function describeClient(row: ApiClientRow) {
  return {
    client_id: toId('client', row.id),
    name: row.name,
    scopes: row.scopes.join(' '),
    created_at: row.created_at.toISOString(),
    disabled_at: row.disabled_at?.toISOString() ?? null,
  };
}

function describeKey(row: ApiKeyRow) {
  return {
    key_id: toId('key', row.id),
    client_id: toId('client', row.client_id),
    name: row.name,
    scopes: row.scopes.join(' '),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

function checkScopes(scopes: readonly string[]): void {
  if (scopes.length === 0) throw new OperatorError('Name at least one scope.');
  const wrong = scopes.find((scope) => !(knownScopes as readonly string[]).includes(scope));
  if (wrong !== undefined) {
    throw new OperatorError(`${wrong} is not a scope; known are ${knownScopes.join(', ')}.`);
  }
}

function clientUuid(id: string): string {
  const uuid = toUuid('client', id);
  if (uuid === undefined) throw unknown('client', id);
  return uuid;
}

function unknown(what: string, id: string): OperatorError {
  return new OperatorError(`There is no ${what} ${id} in this environment.`);
}
