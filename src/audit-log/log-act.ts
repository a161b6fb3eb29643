import type { Logger } from 'pino';
import type { components } from '../../generated/api.ts';
import type { Db } from '../db/db.ts';
import type { Environment } from '../environment.ts';
import type { Actor } from '../operation.ts';
import { toId } from '../values/id.ts';

/** Who makes, changes or ends a credential, and from where: a request, or the operator at the command line. */
export interface Author {
  /** The transaction of the change. */
  db: Db;
  environment: Environment;
  logger: Logger;
  actor: { type: Actor['type'] | 'operator'; id: string | null };
  address(): string | null;
  requestId: string | null;
}

/** What the audit log has entries for, and what becomes of the other credentials. */
type Act =
  | components['schemas']['AuditAction']
  | `webhook.${'created' | 'secret_rotated' | 'deleted'}`
  | `inbound_hook.${'created' | 'url_rotated' | 'secret_changed' | 'deleted'}`
  | 'token.revoked';

/** Public ids of what the credential is, or belongs to. */
type Subject = Partial<Record<'client_id' | 'key_id' | 'webhook_id' | 'hook_id', string | null>>;

/**
 * Writes a line into the log, once the transaction has committed: what was done to a credential, and by whom. No secret, no
 * name and no address, which may be personal; the request's id leads to them.
 */
export function logAct(author: Author, act: Act, subject: Subject): void {
  author.db.afterCommit(() => writeAct(author, act, subject));
}

/** The same for what was done outside of a transaction. */
export function writeAct(
  { environment, logger, actor, requestId }: Omit<Author, 'db' | 'address'>,
  act: Act,
  subject: Subject,
): void {
  const known = Object.entries(subject).filter(([, id]) => id !== null);
  const by = actor.id === null ? undefined : toId(actor.type === 'hook' ? 'hook' : 'client', actor.id);
  logger.info(
    {
      audit: true,
      act,
      ...Object.fromEntries(known),
      actor: actor.type,
      actor_id: by,
      environment,
      request_id: requestId ?? undefined,
    },
    'audit',
  );
}
