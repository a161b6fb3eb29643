import type { components } from '../../generated/api.ts';
import type { IdempotencyKeyRow } from './idempotency-queries.ts';

type Schemas = components['schemas'];

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
  created_at: string;
  retired_at: string | null;
}

interface RevokedTokenRow {
  jti: string;
  expires_at: string;
}

/** Columns of every resource's table. In rows, timestamps are ISO 8601 in UTC. */
export interface BaseRow {
  id: string;
  created_at: string;
  updated_at: string;
  version: number;
}

export const baseColumns = [
  'id',
  'created_at',
  'updated_at',
  'version',
] as const satisfies readonly (keyof BaseRow)[];

export interface UserRow extends BaseRow {
  name: string;
  email: string;
  active: boolean;
}

export const userColumns = [
  ...baseColumns,
  'name',
  'email',
  'active',
] as const satisfies readonly (keyof UserRow)[];

export type LeadStatus = Schemas['LeadStatus'];

/** Columns that leads and contacts share; a contact may have no email. */
export interface PersonRow<Email extends string | null = string | null> extends BaseRow {
  name: string;
  email: Email;
  phone: string | null;
  company: string | null;
  tags: string[];
  assigned_user_id: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
}

const personColumns = [
  ...baseColumns,
  'name',
  'email',
  'phone',
  'company',
  'tags',
  'assigned_user_id',
  'external_id',
  'metadata',
] as const satisfies readonly (keyof PersonRow)[];

export interface LeadRow extends PersonRow<string> {
  status: LeadStatus;
  source: Schemas['LeadSource'];
  content_id: string | null;
  contact_id: string | null;
  lost_reason: string | null;
  status_changed_at: string;
  /** This and the following: first time in that status or a later one, written by a trigger. */
  new_at: string | null;
  contacted_at: string | null;
  qualified_at: string | null;
  won_at: string | null;
  lost_at: string | null;
}

export const leadColumns = [
  ...personColumns,
  'status',
  'source',
  'content_id',
  'contact_id',
  'lost_reason',
  'status_changed_at',
  'new_at',
  'contacted_at',
  'qualified_at',
  'won_at',
  'lost_at',
] as const satisfies readonly (keyof LeadRow)[];

export interface ContactRow extends PersonRow {
  title: string | null;
}

export const contactColumns = [...personColumns, 'title'] as const satisfies readonly (keyof ContactRow)[];

export type ContentStatus = Schemas['ContentStatus'];

/** Content without its body, which may have 200,000 characters. */
export interface ListedContentRow extends BaseRow {
  title: string;
  slug: string;
  type: Schemas['ContentType'];
  summary: string | null;
  body_sha256: string | null;
  url: string | null;
  language: string | null;
  status: ContentStatus;
  author_user_id: string | null;
  tags: string[];
  metadata: Record<string, string>;
  published_at: string | null;
  archived_at: string | null;
}

export interface ContentRow extends ListedContentRow {
  body: string | null;
}

export const listedContentColumns = [
  ...baseColumns,
  'title',
  'slug',
  'type',
  'summary',
  'body_sha256',
  'url',
  'language',
  'status',
  'author_user_id',
  'tags',
  'metadata',
  'published_at',
  'archived_at',
] as const satisfies readonly (keyof ListedContentRow)[];

export const contentColumns = [...listedContentColumns, 'body'] as const;

export interface LeadStatusChangeRow {
  lead_id: string;
  from_status: LeadStatus | null;
  to_status: LeadStatus;
  changed_at: string;
  actor_id: string | null;
  request_id: string;
}

/** `object` and `changes` are those of the event's public representation. */
export interface EventRow {
  id: string;
  position: string;
  type: string;
  occurred_at: string;
  request_id: string;
  actor_type: Schemas['Actor']['type'];
  actor_id: string | null;
  resource_id: string;
  object: { id: string };
  changes: Record<string, { from: unknown; to: unknown }>;
}

export const eventColumns = [
  'id',
  'position',
  'type',
  'occurred_at',
  'request_id',
  'actor_type',
  'actor_id',
  'resource_id',
  'object',
  'changes',
] as const satisfies readonly (keyof EventRow)[];

declare module 'knex/types/tables.js' {
  interface Tables {
    api_clients: ApiClientRow;
    api_keys: ApiKeyRow;
    signing_keys: SigningKeyRow;
    revoked_tokens: RevokedTokenRow;
    users: UserRow;
    idempotency_keys: IdempotencyKeyRow;
    leads: LeadRow;
    contacts: ContactRow;
    content: ContentRow;
    lead_status_changes: LeadStatusChangeRow;
  }
}
