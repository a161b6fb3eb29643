import type { components } from '../../generated/api.ts';
import { type BaseRow, baseColumns } from './tables.ts';

type Schemas = components['schemas'];

/** Where to find a lead's field in the payload: a JSON Pointer (RFC 6901), one with a default, or several (for tags). */
export type MappingRule = string | string[] | { path: string; default?: string };

/** How deliveries are authenticated. Fields that the type does not use are null. */
export type Verification = Schemas['Verification'];

export interface InboundHookRow extends BaseRow {
  name: string;
  token_hash: Buffer;
  status: Schemas['InboundHookStatus'];
  lead_source: Schemas['LeadSource'];
  default_tags: string[];
  assigned_user_id: string | null;
  content_id: string | null;
  mapping: Record<string, MappingRule>;
  verification: Verification;
  encrypted_secret: Buffer | null;
  on_duplicate: Schemas['OnDuplicate'];
}

export const inboundHookColumns = [
  ...baseColumns,
  'name',
  'token_hash',
  'status',
  'lead_source',
  'default_tags',
  'assigned_user_id',
  'content_id',
  'mapping',
  'verification',
  'encrypted_secret',
  'on_duplicate',
] as const satisfies readonly (keyof InboundHookRow)[];

/** Without the payload, which may be a megabyte. */
export interface InboundDeliveryRow extends BaseRow {
  hook_id: string;
  status: Schemas['InboundDeliveryStatus'];
  lead_id: string | null;
  errors: Record<string, string[]> | null;
}

export const inboundDeliveryColumns = [
  ...baseColumns,
  'hook_id',
  'status',
  'lead_id',
  'errors',
] as const satisfies readonly (keyof InboundDeliveryRow)[];

declare module 'knex/types/tables.js' {
  interface Tables {
    inbound_hooks: InboundHookRow;
    inbound_deliveries: InboundDeliveryRow & {
      payload: Record<string, unknown> | null;
      emails: string[];
      dedupe_key: Buffer | null;
      /** Generated. */
      payload_bytes: number;
    };
  }
}
