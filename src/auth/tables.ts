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
    signing_keys: SigningKeyRow;
    revoked_tokens: RevokedTokenRow;
  }
}
