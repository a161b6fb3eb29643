import type { components } from '../../generated/api.ts';
import { base, column, columnsOf, personal } from '../db/tables.ts';

type Schemas = components['schemas'];

/** For each field of a lead, where it is in the payload. */
export type Mapping = Readonly<Record<string, Schemas['MappingRule']>>;

/** How deliveries are authenticated. Fields that the type does not use are null. */
export type Verification = Schemas['Verification'];

export const hook = {
  ...base,
  /** The API client that created it (UUID). */
  client_id: column<string | null>(),
  name: column<string>(),
  token_hash: column<Buffer>(),
  status: column<Schemas['InboundHookStatus']>(),
  lead_source: column<Schemas['LeadSource']>(),
  default_tags: column<string[]>(),
  assigned_user_id: column<string | null>(),
  content_id: column<string | null>(),
  mapping: column<Mapping>(),
  verification: column<Verification>(),
  encrypted_secret: column<Buffer | null>(),
  encrypted_verify_token: column<Buffer | null>(),
  redirect_url: column<string | null>(),
  honeypot: column<string | null>(),
  allowed_origins: column<string[]>(),
  on_duplicate: column<Schemas['OnDuplicate']>(),
  on_return: column<Schemas['OnReturn']>(),
  first_contact_seconds: column<number | null>(),
  default_country: column<string | null>(),
  locale: column<string | null>(),
  values: column<Schemas['HookValues']>(),
  accept_if: column<Schemas['InboundHookCondition']>(),
};

export type InboundHookRow = typeof hook;
export const inboundHookColumns = columnsOf(hook);

/** Without the payload, which may be a megabyte. */
export const delivery = {
  ...base,
  hook_id: column<string>(),
  status: column<Schemas['InboundDeliveryStatus']>(),
  lead_id: column<string | null>(),
  errors: column<Record<string, string[]> | null>(),
  /** Null if there are none. */
  warnings: column<Schemas['InboundWarnings'] | null>(),
  /** The note about the lead that the delivery made. */
  note_id: column<string | null>(),
};

export type InboundDeliveryRow = typeof delivery;
export const inboundDeliveryColumns = columnsOf(delivery);

/** What came with a delivery. */
export const receivedData = {
  errors: personal<InboundDeliveryRow['errors']>({ person: 'null' }),
  warnings: personal<InboundDeliveryRow['warnings']>({ person: 'null' }),
  /** The bytes that came. Null once they were dropped for lack of room, or their person was erased. */
  body: personal<Buffer | null>({ person: 'null' }),
  /** Its media type and charset, as they came. */
  content_type: personal<string | null>({ person: 'null' }),
  emails: personal<string[]>({ person: `'{}'` }),
  /** A digest of the data. Without it, the same data sent again makes a new lead. */
  dedupe_key: personal<Buffer | null>({ person: 'null' }),
  /** Generated. */
  payload_bytes: column<number>(),
};

declare module 'knex/types/tables.js' {
  interface Tables {
    inbound_hooks: InboundHookRow;
    inbound_deliveries: InboundDeliveryRow & typeof receivedData;
  }
}
