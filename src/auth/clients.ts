import { schemas } from '../../generated/rules.ts';
import type { Db } from '../db/db.ts';
import { newUuid, toId, toUuid } from '../db/id.ts';
import type { Environment } from '../environment.ts';
import {
  disable,
  findClient,
  findClients,
  findKeys,
  insertApiKey,
  insertClient,
  revoke,
  updateClientSecret,
} from './queries.ts';
import { covers, knownScopes } from './scopes.ts';
import { hashSecret, newSecret, secretMatches } from './secrets.ts';
import type { ApiClientRow, ApiKeyRow } from './tables.ts';

/** A failed operator command. The message is shown to the operator. */
class OperatorError extends Error {
  override name = 'OperatorError';
}

export interface ClientCredentials {
  client_id: string;
  /** Shown only once; only its SHA-256 is stored. */
  client_secret: string;
}

export async function createClient(
  db: Db,
  environment: Environment,
  { name, scopes }: { name: string; scopes: readonly string[] },
): Promise<ClientCredentials> {
  checkName(name);
  checkScopes(scopes);
  const id = newUuid();
  const secret = newSecret('secret', environment);
  await insertClient(db, { id, name, scopes: [...scopes], secret_hash: hashSecret(secret) });
  return { client_id: toId('client', id), client_secret: secret };
}

export async function listClients(db: Db) {
  return (await findClients(db)).map(describeClient);
}

/** The old secret stops working immediately; tokens issued with it stay valid until they expire. */
export async function rotateSecret(
  db: Db,
  environment: Environment,
  clientId: string,
): Promise<ClientCredentials> {
  const { id } = await findActiveClient(db, clientId);
  const secret = newSecret('secret', environment);
  await updateClientSecret(db, id, hashSecret(secret));
  return { client_id: clientId, client_secret: secret };
}

/** Rejects its secret, tokens and API keys from now on; takes effect in every process within a second. */
export async function disableClient(db: Db, clientId: string) {
  const row = await disable(db, clientUuid(clientId));
  if (row === undefined) throw notFound('client', clientId);
  return describeClient(row);
}

/** Whether these credentials can obtain a token. */
export async function areCredentialsValid(
  db: Db,
  { client_id, client_secret }: ClientCredentials,
): Promise<boolean> {
  const uuid = toUuid('client', client_id);
  const client = uuid === undefined ? undefined : await findClient(db, uuid);
  return client?.disabled_at === null && secretMatches(client_secret, client.secret_hash);
}

export async function createApiKey(
  db: Db,
  environment: Environment,
  key: {
    clientId: string;
    name: string;
    /** Undefined: all scopes of the client. */
    scopes: readonly string[] | undefined;
    expiresAt: Date | null;
  },
) {
  checkName(key.name);
  if (key.expiresAt !== null && key.expiresAt.getTime() <= Date.now()) {
    throw new OperatorError(`The expiry ${key.expiresAt.toISOString()} is in the past.`);
  }
  const client = await findActiveClient(db, key.clientId);
  const scopes = key.scopes ?? client.scopes;
  checkScopes(scopes);
  const excess = scopes.find((scope) => !covers(client.scopes, scope));
  if (excess !== undefined) {
    throw new OperatorError(
      `The client does not have the scope ${excess} itself, only ${client.scopes.join(' ')}.`,
    );
  }
  const apiKey = newSecret('apiKey', environment);
  const row = await insertApiKey(db, {
    id: newUuid(),
    client_id: client.id,
    name: key.name,
    scopes: [...scopes],
    key_hash: hashSecret(apiKey),
    expires_at: key.expiresAt?.toISOString() ?? null,
  });
  return { ...describeKey(row), api_key: apiKey };
}

export async function listApiKeys(db: Db, clientId: string | undefined) {
  return (await findKeys(db, clientId === undefined ? undefined : clientUuid(clientId))).map(describeKey);
}

export async function revokeApiKey(db: Db, keyId: string) {
  const uuid = toUuid('key', keyId);
  const row = uuid === undefined ? undefined : await revoke(db, uuid);
  if (row === undefined) throw notFound('API key', keyId);
  return describeKey(row);
}

function describeClient(row: ApiClientRow) {
  return {
    client_id: toId('client', row.id),
    name: row.name,
    scopes: row.scopes.join(' '),
    created_at: row.created_at,
    disabled_at: row.disabled_at,
  };
}

function describeKey(row: ApiKeyRow) {
  return {
    key_id: toId('key', row.id),
    client_id: toId('client', row.client_id),
    name: row.name,
    scopes: row.scopes.join(' '),
    created_at: row.created_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
  };
}

/** No control characters: names are printed to logs and terminals. */
function checkName(name: string): void {
  if (name.length <= schemas.Name.maxLength && /^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$/u.test(name)) return;
  throw new OperatorError(
    `A name must have 1 to ${schemas.Name.maxLength} characters, at least one of them visible, and no line breaks.`,
  );
}

function checkScopes(scopes: readonly string[]): void {
  if (scopes.length === 0) throw new OperatorError('Specify at least one scope.');
  const unknownScope = scopes.find((scope) => !(knownScopes as readonly string[]).includes(scope));
  if (unknownScope !== undefined) {
    throw new OperatorError(`"${unknownScope}" is not a scope; valid scopes are ${knownScopes.join(', ')}.`);
  }
}

async function findActiveClient(db: Db, clientId: string): Promise<ApiClientRow> {
  const client = await findClient(db, clientUuid(clientId));
  if (client === undefined) throw notFound('client', clientId);
  if (client.disabled_at !== null) throw new OperatorError(`The client ${clientId} is disabled.`);
  return client;
}

function clientUuid(id: string): string {
  const uuid = toUuid('client', id);
  if (uuid === undefined) throw notFound('client', id);
  return uuid;
}

function notFound(what: string, id: string): OperatorError {
  return new OperatorError(`There is no ${what} ${id} in this environment.`);
}
