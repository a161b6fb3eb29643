import type { Db } from '../db/db.ts';
import { newUuid } from '../db/id.ts';
import type { Actor } from '../http/operation.ts';
import { insertAuditLogEntry } from './queries.ts';
import type { AuditLogRow } from './tables.ts';

/** Who changes a client, and from where: a request, or the operator at the command line. */
export interface Author {
  /** The transaction of the change. */
  db: Db;
  actor: { type: Actor['type'] | 'operator'; id: string | null };
  address: string | null;
  requestId: string | null;
}

/** Clients and keys are changed by these only. An inbound hook has no scope for it. */
type AuthorType = AuditLogRow['actor_type'];

type Subject = Partial<Pick<AuditLogRow, 'client_id' | 'key_id' | 'name' | 'scopes'>>;

/** Records what the author has done, in the transaction of the change. */
export async function recordAct(
  { db, actor, address, requestId }: Author,
  action: AuditLogRow['action'],
  { client_id = null, key_id = null, name = null, scopes = null }: Subject = {},
): Promise<void> {
  await insertAuditLogEntry(db, {
    id: newUuid(),
    action,
    actor_type: actor.type as AuthorType,
    actor_id: actor.id,
    address,
    request_id: requestId,
    client_id,
    key_id,
    name,
    scopes,
  });
}
