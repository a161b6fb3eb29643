/** Credentials and keys as the operator's commands and the first start manage them. */
import { schemas } from '../../generated/limits.ts';
import type { Author } from '../audit-log/log-act.ts';
import { recordAct } from '../audit-log/record-act.ts';
import { apiKeys, findApiKey, findClient, isYounger, lockCurrentSigningKey } from '../auth/queries.ts';
import { revokeKey } from '../auth/revoke-key.ts';
import { rotateSigningKey } from '../auth/signing-keys.ts';
import type { ApiClientRow, ApiKeyRow } from '../auth/tables.ts';
import type { Db } from '../db/db.ts';
import { lockRow } from '../db/resource.ts';
import { knownScopes } from '../scopes.ts';
import { toId, toUuid } from '../values/id.ts';
import { hashSecret, hasSecretFormat, type SecretKey, secretMatches } from '../values/secrets.ts';
import { addApiKey } from './change-api-key.ts';
import { addClient, disable, enable, replaceSecret } from './change-client.ts';
import { describeEffects } from './client.ts';
import { clients, findApiKeys, findBelongings, findClients } from './queries.ts';

/** A failed operator command. The message is shown to the operator. */
class OperatorError extends Error {
  override name = 'OperatorError';
}

export interface ClientCredentials {
  client_id: string;
  /** Shown only once; only its SHA-256 is stored. */
  client_secret: string;
}

/** The database that the operator works on, and its log. */
type Place = Pick<Author, 'db' | 'environment' | 'logger'>;

/** `by` is the operator, or the service itself at its first start. */
export async function registerClient(
  place: Place,
  { name, scopes }: { name: string; scopes: readonly string[] },
  by: 'operator' | 'system' = 'operator',
): Promise<ClientCredentials> {
  checkName(name);
  checkScopes(scopes);
  const { row, secret } = await place.db.transaction((trx) =>
    addClient(authorOf(place, trx, by), { name, scopes }),
  );
  return { client_id: toId('client', row.id), client_secret: secret };
}

export async function describeClients(db: Db) {
  return (await findClients(db)).map(describeClient);
}

/**
 * When a command started, on the clock of performance.now(). If another one rotates the same secret in between, the later one
 * fails: else two people would each keep a secret, and one of them would be wrong.
 */
interface Since {
  startedAt?: number;
}

/** The old secret stops working immediately. */
export async function rotateSecret(
  place: Place,
  clientId: string,
  { startedAt, revokeTokens = false }: Since & { revokeTokens?: boolean | undefined } = {},
): Promise<ClientCredentials> {
  const { secret } = await place.db.transaction(async (trx) => {
    const client = await lockClient(trx, clientId);
    await checkUnchanged(trx, 'The client was changed', client.updated_at, startedAt);
    return replaceSecret(authorOf(place, trx), client, { revokeTokens });
  });
  return { client_id: clientId, client_secret: secret };
}

/**
 * Disables a client with its secret, tokens and API keys, in every process within a second. The operator may disable the last
 * admin, and can always create another one.
 */
export async function disableClient(place: Place, clientId: string) {
  return place.db.transaction(async (trx) => {
    const row = await disable(authorOf(place, trx), await lockClient(trx, clientId));
    return { ...describeClient(row), ...describeEffects(await findBelongings(trx, row.id)) };
  });
}

export async function enableClient(place: Place, clientId: string) {
  const row = await place.db.transaction(async (trx) =>
    enable(authorOf(place, trx), await lockClient(trx, clientId)),
  );
  return describeClient(row);
}

/** Whether these credentials can obtain a token. */
export async function areCredentialsValid(
  { db, environment }: Pick<Place, 'db' | 'environment'>,
  { client_id, client_secret }: ClientCredentials,
): Promise<boolean> {
  const uuid = toUuid('client', client_id);
  const client = uuid === undefined ? undefined : await findClient(db, uuid);
  const isAuthentic = hasSecretFormat('secret', environment, client_secret);
  return client?.disabled_at === null && isAuthentic && secretMatches(client_secret, client.secret_hash);
}

export async function issueApiKey(
  place: Place,
  key: {
    clientId: string;
    name: string;
    /** Undefined: all scopes of the client. */
    scopes: readonly string[] | undefined;
    expiresAt: Date | null;
  },
) {
  checkName(key.name);
  if (key.scopes !== undefined) checkScopes(key.scopes);
  const { row, apiKey } = await place.db.transaction(async (trx) =>
    addApiKey(authorOf(place, trx), await lockClient(trx, key.clientId), key),
  );
  return { ...describeKey(row), api_key: apiKey };
}

export async function describeApiKeys(db: Db, clientId: string | undefined) {
  return (await findApiKeys(db, clientId === undefined ? undefined : clientUuid(clientId))).map(describeKey);
}

/** `given` is the id of the key, or the key itself, which is never shown. */
export async function withdrawApiKey(place: Place, given: string) {
  const isKey = hasSecretFormat('apiKey', place.environment, given);
  const uuid = isKey ? (await findApiKey(place.db, hashSecret(given)))?.id : toUuid('key', given);
  const row = await place.db.transaction(async (trx) => {
    const key = uuid === undefined ? undefined : await lockRow(trx, apiKeys, uuid, 'no key update');
    if (key === undefined) throw unknownKey(given);
    return revokeKey(authorOf(place, trx), key);
  });
  return describeKey(row);
}

/** Signs tokens with a new key from now on. Returns its id. */
export async function replaceSigningKey(
  place: Place,
  secretKey: SecretKey,
  { startedAt }: Since = {},
): Promise<string> {
  return place.db.transaction(async (trx) => {
    const current = await lockCurrentSigningKey(trx);
    if (current !== undefined)
      await checkUnchanged(trx, 'The signing key was replaced', current.created_at, startedAt);
    const id = await rotateSigningKey(trx, secretKey);
    await recordAct(authorOf(place, trx), 'signing_key.rotated');
    return id;
  });
}

function authorOf(place: Place, trx: Db, type: 'operator' | 'system' = 'operator'): Author {
  const { environment, logger } = place;
  return {
    db: trx,
    environment,
    logger,
    actor: { type, id: null, userId: null },
    address: () => null,
    requestId: null,
  };
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
    hint: row.hint,
    last_used_at: row.last_used_at,
  };
}

/** Control characters, and those that change the direction of text: names are printed to logs and terminals. */
const UNPRINTABLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

function checkName(name: string): void {
  const { maxLength } = schemas.ClientName;
  if (name.length <= maxLength && /\S/.test(name) && !UNPRINTABLE.test(name)) return;
  throw new OperatorError(
    `A name must have 1 to ${maxLength} characters, at least one of them visible, and no line breaks or characters that change the direction of text.`,
  );
}

function checkScopes(scopes: readonly string[]): void {
  if (scopes.length === 0) throw new OperatorError('Specify at least one scope.');
  const unknownScope = scopes.find((scope) => !(knownScopes as readonly string[]).includes(scope));
  if (unknownScope !== undefined) {
    throw new OperatorError(`"${unknownScope}" is not a scope; valid scopes are ${knownScopes.join(', ')}.`);
  }
}

async function lockClient(trx: Db, clientId: string): Promise<ApiClientRow> {
  const client = await lockRow(trx, clients, clientUuid(clientId), 'no key update');
  if (client === undefined) throw unknownId('client', clientId);
  return client;
}

function clientUuid(id: string): string {
  const uuid = toUuid('client', id);
  if (uuid === undefined) throw unknownId('client', id);
  return uuid;
}

/** Shows an id only, since anything else may be a key. */
function unknownKey(given: string): OperatorError {
  if (given.startsWith('key_')) return unknownId('API key', given);
  return new OperatorError(
    'This environment has no such API key. Give its id, which begins with key_, or the whole key.',
  );
}

/** Throws if it happened after the command started. Both times are measured back from now, since the clocks may differ. */
async function checkUnchanged(
  trx: Db,
  what: string,
  at: string,
  startedAt: number | undefined,
): Promise<void> {
  if (startedAt === undefined || !(await isYounger(trx, at, performance.now() - startedAt))) return;
  throw new OperatorError(
    `${what} at ${at}, after this command had started: probably by another one. This one changed nothing. To replace it ` +
      'again, repeat the command.',
  );
}

function unknownId(what: string, id: string): OperatorError {
  return new OperatorError(`There is no ${what} ${id} in this environment.`);
}
