import { type Actor, actorColumns } from '../actor.ts';
import type { Db } from '../db/db.ts';
import { anonymous, type Principal } from '../principal.ts';
import { Problem } from '../problem.ts';
import { commonScopes } from '../scopes.ts';
import type { Failure } from './failure.ts';
import { findState } from './grant-queries.ts';
import type { GrantColumns } from './tables.ts';

export function grantColumns({ actor, principal }: { actor: Actor; principal: Principal }): GrantColumns {
  const { credential, credentialId } = principal;
  return { ...actorColumns(actor), key_id: credential === 'api_key' ? credentialId : null };
}

/**
 * Asks before each step of a job whether its client may still do it: whether the client is enabled, the key not revoked, and
 * the scopes are still granted. Returns the actor, without a user who is no longer active, or why the job must end.
 * `requireScopes` throws 403 as it did when the job was created. An expired credential doesn't end a job.
 */
export async function checkGrant(
  trx: Db,
  grant: GrantColumns,
  requireScopes: (principal: Principal) => void,
): Promise<{ actor: Actor } | { failure: Failure }> {
  const { actor_type: type, actor_id: id, actor_user_id: userId } = grant;
  // The operator's own.
  if (type !== 'client') return { actor: { type, id, userId } };
  const found = await findState(trx, grant);
  if (found === undefined || found.is_disabled) {
    return failure('client_disabled', 'The API client that started it was disabled.');
  }
  if (found.is_revoked && grant.key_id !== null) {
    return failure('key_revoked', 'The API key that started it was revoked.');
  }
  const { scopes, key_scopes } = found;
  const granted = key_scopes === null ? scopes : commonScopes(key_scopes, scopes);
  try {
    requireScopes({ ...anonymous, scopes: granted });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { required_scope: scope } = error.details;
    return failure('scope_missing', `The API client that started it no longer has the scope ${scope}.`);
  }
  return { actor: { type, id, userId: found.is_active ? userId : null } };
}

function failure(code: Failure['code'], message: string): { failure: Failure } {
  return { failure: { code, message } };
}
