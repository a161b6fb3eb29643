import { newUuid, toNullableId } from '../values/id.ts';
import { type Author, logAct } from './log-act.ts';
import { insertAuditLogEntry } from './queries.ts';
import type { AuditLogRow } from './tables.ts';

/** Only these can change clients and keys: an inbound hook has no scope for it. */
type AuthorType = AuditLogRow['actor_type'];

type Subject = Partial<Pick<AuditLogRow, 'client_id' | 'key_id' | 'name' | 'scopes' | 'erasure_id'>>;

/** Records and logs an action, in the transaction of the change. */
export async function recordAct(
  author: Author,
  action: AuditLogRow['action'],
  { client_id = null, key_id = null, name = null, scopes = null, erasure_id = null }: Subject = {},
): Promise<void> {
  const { db, actor, address, requestId } = author;
  await insertAuditLogEntry(db, {
    id: newUuid(),
    action,
    actor_type: actor.type as AuthorType,
    actor_id: actor.id,
    actor_user_id: actor.userId,
    address: address(),
    request_id: requestId,
    client_id,
    key_id,
    name,
    scopes,
    erasure_id,
  });
  logAct(author, action, {
    client_id: toNullableId('client', client_id),
    key_id: toNullableId('key', key_id),
    erasure_id: toNullableId('erasure', erasure_id),
  });
}
