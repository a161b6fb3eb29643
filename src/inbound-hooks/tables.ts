import type { components } from '../../generated/api.ts';
import { base, column, columnsOf } from '../db/tables.ts';

type Schemas = components['schemas'];

/** For each field of a lead, where it is in the payload. */
export type Mapping = Readonly<Record<string, Schemas['MappingRule']>>;

/** How deliveries are authenticated. Fields that the type does not use are null. */
export type Verification = Schemas['Verification'];

const hook = {
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
  default_country: column<string | null>(),
  locale: column<string | null>(),
  values: column<Schemas['HookValues']>(),
  accept_if: column<Schemas['AcceptIf']>(),
};

export type InboundHookRow = typeof hook;
export const inboundHookColumns = columnsOf(hook);

/** Without the payload, which may be a megabyte. */
const delivery = {
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

declare module 'knex/types/tables.js' {
  interface Tables {
    inbound_hooks: InboundHookRow;
    inbound_deliveries: InboundDeliveryRow & {
      /** Of deliveries from before `body` was kept. */
      payload: unknown;
      /** The bytes that came. Null once they were dropped for lack of room, or their person was erased. */
      body: Buffer | null;
      /** Its media type and charset, as they came. */
      content_type: string | null;
      emails: string[];
      dedupe_key: Buffer | null;
      /** Generated. */
      payload_bytes: number;
    };
  }
}
