export interface ApiClientRow {
  id: string;
  name: string;
  scopes: string[];
  secret_hash: Buffer;
  disabled_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface ApiKeyRow {
  id: string;
  client_id: string;
  name: string;
  scopes: string[];
  key_hash: Buffer;
  expires_at: Date | null;
  revoked_at: Date | null;
  created_at: Date;
}

/** RFC 8037. */
export interface PublicJwk {
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
  created_at: Date;
  retired_at: Date | null;
}

export interface RevokedTokenRow {
  jti: string;
  expires_at: Date;
}

export interface UserRow {
  id: string;
  name: string;
  email: string;
  active: boolean;
  created_at: Date;
  updated_at: Date;
  version: number;
}

export interface IdempotencyKeyRow {
  client_id: string;
  key: string;
  request_hash: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: unknown;
  created_at: Date;
}

export type LeadStatus = 'new' | 'contacted' | 'qualified' | 'won' | 'lost';
export type LeadSource = 'api' | 'website' | 'referral' | 'manual';

export interface LeadRow {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  status: LeadStatus;
  source: LeadSource;
  company: string | null;
  tags: string[];
  assigned_user_id: string | null;
  content_id: string | null;
  contact_id: string | null;
  external_id: string | null;
  lost_reason: string | null;
  metadata: Record<string, string>;
  status_changed_at: Date;
  created_at: Date;
  updated_at: Date;
  version: number;
}

export interface LeadStatusChangeRow {
  lead_id: string;
  from_status: LeadStatus | null;
  to_status: LeadStatus;
  changed_at: Date;
  actor_id: string | null;
  request_id: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    api_clients: ApiClientRow;
    api_keys: ApiKeyRow;
    signing_keys: SigningKeyRow;
    revoked_tokens: RevokedTokenRow;
    users: UserRow;
    idempotency_keys: IdempotencyKeyRow;
    leads: LeadRow;
    lead_status_changes: LeadStatusChangeRow;
  }
}
