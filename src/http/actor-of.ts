import type { Request } from 'express';
import type { Actor } from '../actor.ts';
import type { Principal } from '../principal.ts';
import { invalidField } from '../problem.ts';
import { hasScope, insufficientScope } from '../scopes.ts';
import { toUuid } from '../values/id.ts';

/**
 * Who makes the change. A client doesn't act for its own user while the user is inactive. Throws 403 if `Acting-User` names
 * another user without the scope for that, and 422 if it names no active user.
 */
export async function actorOf({ context, headers, match }: Request, principal: Principal): Promise<Actor> {
  const { clientId, hookId, userId } = principal;
  if (hookId !== null) return { type: 'hook', id: hookId, userId: null };
  const actor = { type: 'client', id: clientId, userId: null } as const;
  if (match.operation.method === 'get') return actor;
  const { auth } = context;
  const named = headers['acting-user'];
  if (typeof named !== 'string') {
    return { ...actor, userId: userId !== null && (await auth.isActiveUser(userId)) ? userId : null };
  }
  const uuid = toUuid('user', named);
  if ((uuid === undefined || uuid !== userId) && !hasScope(principal, 'act')) {
    throw insufficientScope(
      principal,
      'Acting-User for another user than your own needs the scope act',
      'act',
    );
  }
  if (uuid !== undefined && (await auth.isActiveUser(uuid))) return { ...actor, userId: uuid };
  throw invalidField('Acting-User', 'must be the id of an active user');
}
