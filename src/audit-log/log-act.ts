import type { Logger } from 'pino';
import type { components } from '../../generated/api.ts';
import type { Actor } from '../actor.ts';
import type { Db } from '../db/db.ts';
import type { Environment } from '../environment.ts';
import { toId } from '../values/id.ts';

/** Who changes a credential, and how: by a request, or as the operator at the command line. */
export interface Author {
  /** The transaction of the change. */
  db: Db;
  environment: Environment;
  logger: Logger;
  actor: { type: Actor['type'] | 'operator'; id: string | null; userId: string | null };
  address(): string | null;
  requestId: string | null;
}

/** Actions recorded in the audit log, and changes to other credentials, which are only logged. */
type Act =
  | components['schemas']['AuditAction']
  | `webhook.${'created' | 'secret_rotated' | 'deleted'}`
  | `inbound_hook.${'created' | 'url_rotated' | 'secret_changed' | 'deleted'}`
  | `metadata_field.${'created' | 'updated'}`
  | 'token.revoked';

/** Public ids of the credential, of its owner, or of an erasure. */
type Subject = Partial<
  Record<
    'client_id' | 'key_id' | 'webhook_id' | 'hook_id' | 'metadata_field_id' | 'erasure_id',
    string | null
  >
>;

/**
 * Logs what was done to a credential, and by whom, once the transaction has committed. Without secrets, names and
 * addresses, which may be personal: the request's id leads to them.
 */
export function logAct(
  { db, environment, logger, actor, requestId }: Author,
  act: Act,
  subject: Subject,
): void {
  const known = Object.entries(subject).filter(([, id]) => id !== null);
  const by = actor.id === null ? undefined : toId(actor.type === 'hook' ? 'hook' : 'client', actor.id);
  const line = {
    audit: true,
    act,
    ...Object.fromEntries(known),
    actor: actor.type,
    actor_id: by,
    environment,
    request_id: requestId ?? undefined,
  };
  db.afterCommit(() => logger.info(line, 'audit'));
}
