import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { toId, toNullableId } from '../values/id.ts';
import { auditLog, auditLogFilters } from './queries.ts';
import type { AuditLogRow } from './tables.ts';

export async function listAuditLog(
  { query }: Input<'listAuditLog'>,
  context: OperationContext,
): Promise<Result<'listAuditLog'>> {
  return list(context, auditLog, {
    query,
    conditions: conditionsOf(auditLogFilters, query),
    toData: toAuditLogEntry,
  });
}

function toAuditLogEntry(row: AuditLogRow): Schema<'AuditLogEntry'> {
  return {
    id: toId('audit', row.id),
    created_at: row.created_at,
    action: row.action,
    actor: { type: row.actor_type, id: toNullableId('client', row.actor_id) },
    address: row.address,
    request_id: row.request_id,
    client_id: toNullableId('client', row.client_id),
    key_id: toNullableId('key', row.key_id),
    name: row.name,
    scopes: row.scopes,
  };
}
