import { type Db, first, one } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';
import { defineResource } from '../db/resource.ts';
import type { ClientLimits } from '../principal.ts';
import type { SigningKeyRow } from './tables.ts';
import { type ApiClientRow, type ApiKeyRow, apiKeyColumns, clientColumns } from './tables.ts';

export async function findClient(db: Db, id: string): Promise<ApiClientRow | undefined> {
  return first<ApiClientRow>(
    db,
    knex('api_clients')
      .where({ id })
      .select(...clientColumns),
  );
}

export interface TokenState {
  name: string;
  scopes: string[];
  user_id: string | null;
  limits: ClientLimits;
  disabled: boolean;
  revoked: boolean;
  /** The client's current token generation. */
  generation: number;
}

const tokenState = prepare<{ clientId: string; jti: string }, TokenState>('token_state', ($) =>
  knex('api_clients')
    .where({ id: $('clientId') })
    .select(
      'name',
      'scopes',
      'user_id',
      'limits',
      'token_generation as generation',
      knex.raw<boolean>('disabled_at is not null as disabled'),
      knex.raw<boolean>('exists ? as revoked', [
        knex('revoked_tokens')
          .where({ jti: $('jti') })
          .select('jti'),
      ]),
    ),
);

/** What the signature can't tell. Undefined if there is no such client. */
export async function findTokenState(db: Db, clientId: string, jti: string): Promise<TokenState | undefined> {
  return first(db, tokenState({ clientId, jti }));
}

export const apiKeys = defineResource<ApiKeyRow>({
  table: 'api_keys',
  prefix: 'key',
  another: 'another API key',
  unique: [],
  sortable: { created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: apiKeyColumns,
});

type KeyWithClient = ApiKeyRow & {
  client_name: string;
  client_scopes: string[];
  client_user_id: string | null;
  client_limits: ClientLimits;
  client_disabled_at: string | null;
};

const apiKey = prepare<{ keyHash: Buffer }, KeyWithClient>('api_key', ($) =>
  knex('api_keys')
    .join('api_clients', 'api_clients.id', 'api_keys.client_id')
    .where({ key_hash: $('keyHash') })
    .select(...apiKeyColumns.map((column) => `api_keys.${column}` as const), {
      client_name: 'api_clients.name',
      client_scopes: 'api_clients.scopes',
      client_user_id: 'api_clients.user_id',
      client_limits: 'api_clients.limits',
      client_disabled_at: 'api_clients.disabled_at',
    }),
);

export async function findApiKey(db: Db, keyHash: Buffer): Promise<KeyWithClient | undefined> {
  return first(db, apiKey({ keyHash }));
}

const enabledApiKey = prepare<{ id: string }, { id: string }>('enabled_api_key', ($) =>
  knex('api_keys')
    .join('api_clients', 'api_clients.id', 'api_keys.client_id')
    .where('api_keys.id', $('id'))
    .whereNull('revoked_at')
    .whereNull('disabled_at')
    .select('api_keys.id'),
);

/** Whether neither the key (UUID) is revoked nor its client disabled. */
export async function isApiKeyEnabled(db: Db, id: string): Promise<boolean> {
  return (await first(db, enabledApiKey({ id }))) !== undefined;
}

const lastUses = prepare<{ ids: string[]; times: string[] }, never>('update_key_uses', ($) =>
  knex.raw(
    `update api_keys set last_used_at = greatest(last_used_at, used.at)
      from unnest(?::uuid[], ?::timestamptz[]) as used (id, at) where api_keys.id = used.id`,
    [$('ids'), $('times')],
  ),
);

/** `uses` has the time (milliseconds since 1970) at which each key (UUID) was used. Does not change the version of a key. */
export async function updateLastUses(db: Db, uses: ReadonlyMap<string, number>): Promise<void> {
  await db.run(
    lastUses({
      ids: [...uses.keys()],
      times: [...uses.values()].map((time) => new Date(time).toISOString()),
    }),
  );
}

const activeUser = prepare<{ id: string }, { id: string }>('active_user', ($) =>
  knex('users')
    .where({ id: $('id'), active: true })
    .select('id'),
);

/** Whether the user (UUID) exists and is active. */
export async function isActiveUser(db: Db, id: string): Promise<boolean> {
  return (await first(db, activeUser({ id }))) !== undefined;
}

interface FoundHook {
  id: string;
  name: string;
  status: 'enabled' | 'disabled';
}

const hookByToken = prepare<{ tokenHash: Buffer }, FoundHook>('hook_by_token', ($) =>
  knex('inbound_hooks')
    .where({ token_hash: $('tokenHash') })
    .select('id', 'name', 'status'),
);

export async function findHookByToken(db: Db, tokenHash: Buffer): Promise<FoundHook | undefined> {
  return first(db, hookByToken({ tokenHash }));
}

export async function insertRevokedToken(db: Db, jti: string, expiresAt: Date): Promise<void> {
  await db.run(
    knex('revoked_tokens').insert({ jti, expires_at: expiresAt.toISOString() }).onConflict('jti').ignore(),
  );
}

export type NewSigningKey = Pick<SigningKeyRow, 'id' | 'public_jwk' | 'encrypted_private_jwk'>;

/** Keys that may verify tokens: the current one and those retired less than `graceSeconds` ago. */
export async function findSigningKeys(db: Db, graceSeconds: number): Promise<SigningKeyRow[]> {
  return db.run(
    knex('signing_keys')
      .whereNull('retired_at')
      .orWhere('retired_at', '>', knex.raw('now() - make_interval(secs => ?)', [graceSeconds]))
      .select('*')
      .orderBy('created_at', 'desc'),
  );
}

/** Retires the current key and adds the new one. A partial unique index prevents concurrent rotations. */
export async function insertSigningKey(db: Db, key: NewSigningKey): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.run(knex('signing_keys').whereNull('retired_at').update({ retired_at: knex.fn.now() }));
    await trx.run(knex('signing_keys').insert(key));
  });
}

/** Adds the first key. Does nothing if another process was faster. */
export async function insertFirstSigningKey(db: Db, key: NewSigningKey): Promise<void> {
  const oneCurrent = knex.raw('((true)) where retired_at is null');
  await db.run(knex('signing_keys').insert(key).onConflict(oneCurrent).ignore());
}

/** Locks the signing key that signs now. Waits for another rotation to commit, and then returns its key. */
export async function lockCurrentSigningKey(trx: Db): Promise<SigningKeyRow | undefined> {
  await trx.run(knex.raw('lock table signing_keys in share row exclusive mode'));
  return first<SigningKeyRow>(trx, knex('signing_keys').whereNull('retired_at').select('*'));
}

/** Whether it is less than `age` milliseconds since this time, by the database's clock. */
export async function isYounger(db: Db, time: string, age: number): Promise<boolean> {
  const { younger } = await one<{ younger: boolean }>(
    db,
    knex.raw(`select ?::timestamptz > clock_timestamp() - ? * interval '1 millisecond' as younger`, [
      time,
      age,
    ]),
  );
  return younger;
}
