import type { PublicJwk } from '../context.ts';
import { base, column, columnsOf } from '../db/tables.ts';

const client = {
  ...base,
  name: column<string>(),
  scopes: column<string[]>(),
  secret_hash: column<Buffer>(),
  disabled_at: column<string | null>(),
  user_id: column<string | null>(),
  token_generation: column<number>(),
};

export type ApiClientRow = typeof client;
export const clientColumns = columnsOf(client);

const apiKey = {
  ...base,
  client_id: column<string>(),
  name: column<string>(),
  scopes: column<string[]>(),
  key_hash: column<Buffer>(),
  expires_at: column<string | null>(),
  revoked_at: column<string | null>(),
  hint: column<string | null>(),
  last_used_at: column<string | null>(),
};

export type ApiKeyRow = typeof apiKey;
export const apiKeyColumns = columnsOf(apiKey);

export interface SigningKeyRow {
  id: string;
  public_jwk: PublicJwk;
  encrypted_private_jwk: Buffer;
  created_at: string;
  retired_at: string | null;
}

interface RevokedTokenRow {
  jti: string;
  expires_at: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    api_clients: ApiClientRow;
    api_keys: ApiKeyRow;
    signing_keys: SigningKeyRow;
    revoked_tokens: RevokedTokenRow;
  }
}
