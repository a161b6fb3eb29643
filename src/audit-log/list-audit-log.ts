import { conditionsOf } from '../db/list/filters.ts';
import { nameActors } from '../events/name-actors.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toId, toNullableId } from '../values/id.ts';
import { auditLog, auditLogFilters } from './queries.ts';
import type { AuditLogRow } from './tables.ts';

export async function listAuditLog(
  { query }: Input<'listAuditLog'>,
  context: OperationContext,
): Promise<Result<'listAuditLog'>> {
  const { body, ...answer } = await list(context, auditLog, {
    query,
    conditions: conditionsOf(auditLogFilters, query),
    toData: toAuditLogEntry,
  });
  return { ...answer, body: { ...body, data: await nameActors(context.db, body.data) } };
}

function toAuditLogEntry(row: AuditLogRow) {
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
