import type { Knex } from 'knex';
import type { InboundHookRow } from '../db/inbound-tables.ts';
import { run } from '../db/statement.ts';
import type { ApiClientRow, ApiKeyRow, SigningKeyRow } from '../db/tables.ts';

export async function findClient(db: Knex, id: string): Promise<ApiClientRow | undefined> {
  return db('api_clients').where({ id }).first();
}

export async function findClients(db: Knex): Promise<ApiClientRow[]> {
  return db('api_clients').orderBy('created_at');
}

export async function insertClient(
  db: Knex,
  client: Pick<ApiClientRow, 'id' | 'name' | 'scopes' | 'secret_hash'>,
): Promise<void> {
  await db('api_clients').insert(client);
}

export async function updateClientSecret(db: Knex, id: string, secretHash: Buffer): Promise<void> {
  await db('api_clients').where({ id }).update({ secret_hash: secretHash, updated_at: db.fn.now() });
}

/** Keeps the original time if already disabled. Undefined if there is no such client. */
export async function disable(db: Knex, id: string): Promise<ApiClientRow | undefined> {
  const [row] = await db('api_clients')
    .where({ id })
    .update({ disabled_at: db.raw('coalesce(disabled_at, now())'), updated_at: db.fn.now() })
    .returning('*');
  return row;
}

export async function findKeys(db: Knex, clientId: string | undefined): Promise<ApiKeyRow[]> {
  const query = db('api_keys').orderBy('created_at');
  return clientId === undefined ? query : query.where({ client_id: clientId });
}

export async function insertApiKey(
  db: Knex,
  key: Omit<ApiKeyRow, 'revoked_at' | 'created_at'>,
): Promise<ApiKeyRow> {
  const [row] = await db('api_keys').insert(key).returning('*');
  return row as ApiKeyRow;
}

/** Keeps the original time if already revoked. Undefined if there is no such key. */
export async function revoke(db: Knex, id: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db('api_keys')
    .where({ id })
    .update({ revoked_at: db.raw('coalesce(revoked_at, now())') })
    .returning('*');
  return row;
}

interface TokenState {
  name: string;
  disabled: boolean;
  revoked: boolean;
}

/** What a valid signature doesn't show: whether the token is revoked or its client disabled. */
export async function findTokenState(
  db: Knex,
  clientId: string,
  jti: string,
): Promise<TokenState | undefined> {
  const [state] = await run<TokenState>(db, {
    name: 'token_state',
    sql: `select name, disabled_at is not null as disabled,
        exists (select 1 from revoked_tokens where jti = ?) as revoked
      from api_clients where id = ?`,
    bindings: [jti, clientId],
  });
  return state;
}

type KeyWithClient = ApiKeyRow & { client_name: string; client_disabled_at: Date | null };

export async function findApiKey(db: Knex, keyHash: Buffer): Promise<KeyWithClient | undefined> {
  return db('api_keys')
    .join('api_clients', 'api_clients.id', 'api_keys.client_id')
    .where('key_hash', keyHash)
    .first('api_keys.*', 'api_clients.name as client_name', 'api_clients.disabled_at as client_disabled_at');
}

export async function findHook(
  db: Knex,
  tokenHash: Buffer,
): Promise<Pick<InboundHookRow, 'id' | 'name' | 'status'> | undefined> {
  const [hook] = await run<InboundHookRow>(db, {
    name: 'hook_by_token',
    sql: 'select id, name, status from inbound_hooks where token_hash = ?',
    bindings: [tokenHash],
  });
  return hook;
}

export async function insertRevokedToken(db: Knex, jti: string, expiresAt: Date): Promise<void> {
  await db('revoked_tokens').insert({ jti, expires_at: expiresAt }).onConflict('jti').ignore();
}

/** Deletes up to `limit` revocations of expired tokens. Returns how many were deleted. */
export async function deleteExpiredRevocations(db: Knex, limit: number): Promise<number> {
  const deleted = await run(db, {
    sql: `delete from revoked_tokens where jti in (
      select jti from revoked_tokens where expires_at < now() limit ? for update skip locked) returning jti`,
    bindings: [limit],
  });
  return deleted.length;
}

/** Keys that may verify tokens: the current one and those retired less than `graceSeconds` ago. */
export async function findSigningKeys(db: Knex, graceSeconds: number): Promise<SigningKeyRow[]> {
  return db('signing_keys')
    .whereNull('retired_at')
    .orWhereRaw('retired_at > now() - make_interval(secs => ?)', [graceSeconds])
    .orderBy('created_at', 'desc');
}

/** Retires the current key and adds the new one. A partial unique index prevents concurrent rotations. */
export async function replaceSigningKey(
  db: Knex,
  key: Pick<SigningKeyRow, 'id' | 'public_jwk' | 'encrypted_private_jwk'>,
): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('signing_keys').whereNull('retired_at').update({ retired_at: trx.fn.now() });
    await trx('signing_keys').insert(key);
  });
}

/** Adds the first key. Does nothing if another process was faster. */
export async function insertFirstSigningKey(
  db: Knex,
  key: Pick<SigningKeyRow, 'id' | 'public_jwk' | 'encrypted_private_jwk'>,
): Promise<void> {
  await db('signing_keys').insert(key).onConflict(db.raw('((true)) where retired_at is null')).ignore();
}
