export interface ApiClientRow {
  id: string;
  name: string;
  scopes: string[];
  secret_hash: Buffer;
  disabled_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ApiKeyRow {
  id: string;
  client_id: string;
  name: string;
  scopes: string[];
  key_hash: Buffer;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
}

/** Ed25519 public key (RFC 8037). */
interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

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
