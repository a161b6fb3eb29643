import type { PublicJwk } from '../context.ts';
import { base, column, columnsOf } from '../db/tables.ts';
import type { ClientLimits } from '../principal.ts';

export const client = {
  ...base,
  name: column<string>(),
  scopes: column<string[]>(),
  secret_hash: column<Buffer>(),
  disabled_at: column<string | null>(),
  user_id: column<string | null>(),
  token_generation: column<number>(),
  limits: column<ClientLimits>(),
};

export type ApiClientRow = typeof client;
export const clientColumns = columnsOf(client);

export const apiKey = {
  ...base,
  client_id: column<string>(),
  name: column<string>(),
  scopes: column<string[]>(),
  key_hash: column<Buffer>(),
  expires_at: column<string | null>(),
  revoked_at: column<string | null>(),
  hint: column<string>(),
  last_used_at: column<string | null>(),
};

export type ApiKeyRow = typeof apiKey;
export const apiKeyColumns = columnsOf(apiKey);

export const signingKey = {
  id: column<string>(),
  public_jwk: column<PublicJwk>(),
  encrypted_private_jwk: column<Buffer>(),
  created_at: column<string>(),
  retired_at: column<string | null>(),
};

export type SigningKeyRow = typeof signingKey;

export const revokedToken = { jti: column<string>(), expires_at: column<string>() };

declare module 'knex/types/tables.js' {
  interface Tables {
    api_clients: ApiClientRow;
    api_keys: ApiKeyRow;
    signing_keys: SigningKeyRow;
    revoked_tokens: typeof revokedToken;
  }
}
