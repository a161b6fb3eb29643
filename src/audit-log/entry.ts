import { toId, toNullableId } from '../values/id.ts';
import type { AuditLogRow } from './tables.ts';

export function toAuditLogEntry(row: AuditLogRow) {
  return {
    id: toId('audit', row.id),
    created_at: row.created_at,
    action: row.action,
    actor: {
      type: row.actor_type,
      id: toNullableId('client', row.actor_id),
      user_id: toNullableId('user', row.actor_user_id),
    },
    address: row.address,
    request_id: row.request_id,
    client_id: toNullableId('client', row.client_id),
    key_id: toNullableId('key', row.key_id),
    name: row.name,
    scopes: row.scopes,
    erasure_id: toNullableId('erasure', row.erasure_id),
  };
}
