import type { components } from '../../generated/api.ts';
import { column, columnsOf } from '../db/tables.ts';

type Schemas = components['schemas'];

export const auditLogEntry = {
  id: column<string>(),
  created_at: column<string>(),
  action: column<Schemas['AuditAction']>(),
  actor_type: column<Schemas['AuditLogEntryActor']['type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  address: column<string | null>(),
  request_id: column<string | null>(),
  client_id: column<string | null>(),
  key_id: column<string | null>(),
  name: column<string | null>(),
  scopes: column<string[] | null>(),
  erasure_id: column<string | null>(),
};

export type AuditLogRow = typeof auditLogEntry;
export const auditLogColumns = columnsOf(auditLogEntry);

declare module 'knex/types/tables.js' {
  interface Tables {
    audit_log: AuditLogRow;
  }
}
