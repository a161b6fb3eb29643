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

/** Declares a column of a table, by its type. There is no value: what is read from a declaration are its keys. */
export function column<Type>(): Type {
  return undefined as never;
}

/** The names of the declared columns. Queries list them: a `*` would break prepared statements when one is added. */
export function columnsOf<Row extends object>(row: Row) {
  return Object.keys(row) as (keyof Row & string)[];
}

/** Columns of every resource's table. In rows, timestamps are ISO 8601 in UTC. */
export const base = {
  id: column<string>(),
  created_at: column<string>(),
  updated_at: column<string>(),
  version: column<number>(),
};

export type BaseRow = typeof base;

const user = { ...base, name: column<string>(), email: column<string>(), active: column<boolean>() };

export type UserRow = typeof user;
export const userColumns = columnsOf(user);

export type LeadStatus = Schemas['LeadStatus'];

/** Columns that leads and contacts share; a contact may have no email. */
const person = {
  ...base,
  name: column<string>(),
  email: column<string | null>(),
  phone: column<string | null>(),
  company: column<string | null>(),
  tags: column<string[]>(),
  assigned_user_id: column<string | null>(),
  external_id: column<string | null>(),
  metadata: column<Record<string, string>>(),
};

export type PersonRow<Email extends string | null> = typeof person & { email: Email };

const lead = {
  ...person,
  email: column<string>(),
  status: column<LeadStatus>(),
  source: column<Schemas['LeadSource']>(),
  content_id: column<string | null>(),
  contact_id: column<string | null>(),
  lost_reason: column<string | null>(),
  status_changed_at: column<string>(),
  /** This and the following: first time in that status or a later one, written by a trigger. */
  new_at: column<string | null>(),
  contacted_at: column<string | null>(),
  qualified_at: column<string | null>(),
  won_at: column<string | null>(),
  lost_at: column<string | null>(),
};

export type LeadRow = typeof lead;
export const leadColumns = columnsOf(lead);

const contact = { ...person, title: column<string | null>() };

export type ContactRow = typeof contact;
export const contactColumns = columnsOf(contact);

export type ContentStatus = Schemas['ContentStatus'];

/** Content without its body, which may have 200,000 characters. */
const listedContent = {
  ...base,
  title: column<string>(),
  slug: column<string>(),
  type: column<Schemas['ContentType']>(),
  summary: column<string | null>(),
  body_sha256: column<string | null>(),
  url: column<string | null>(),
  language: column<string | null>(),
  status: column<ContentStatus>(),
  author_user_id: column<string | null>(),
  tags: column<string[]>(),
  metadata: column<Record<string, string>>(),
  published_at: column<string | null>(),
  archived_at: column<string | null>(),
};

export type ListedContentRow = typeof listedContent;
export const listedContentColumns = columnsOf(listedContent);

const content = { ...listedContent, body: column<string | null>() };

export type ContentRow = typeof content;
export const contentColumns = columnsOf(content);

export interface LeadStatusChangeRow {
  lead_id: string;
  from_status: LeadStatus | null;
  to_status: LeadStatus;
  changed_at: string;
  actor_id: string | null;
  request_id: string;
}

/** `object` and `changes` are those of the event's public representation. */
const event = {
  id: column<string>(),
  position: column<string>(),
  type: column<string>(),
  occurred_at: column<string>(),
  request_id: column<string>(),
  actor_type: column<Schemas['Actor']['type']>(),
  actor_id: column<string | null>(),
  resource_id: column<string>(),
  object: column<{ id: string }>(),
  changes: column<Record<string, { from: unknown; to: unknown }>>(),
};

export type EventRow = typeof event;
export const eventColumns = columnsOf(event);

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
