import type { NextFunction, Request, Response } from 'express';
import type { Db } from '../db/db.ts';
import { anonymous, type Principal } from '../principal.ts';
import { notFound, Problem } from '../problem.ts';
import { requireAny } from '../scopes.ts';
import { Deadline } from '../values/deadline.ts';
import { limitAnonymous, limitGuesses } from './limits/rate-limit.ts';

/** Timeout of authentication, which makes at most two lookups by key. Milliseconds. */
const AUTHENTICATION_TIMEOUT = 3_000;
/** By the contract, every process must notice a revocation within this time. Milliseconds. */
const CONFIRM_AFTER = 1_000;

/**
 * Sets `req.principal`, and continues the client's trace. Rejects with 401, or 404 for the token in a hook's URL. Rejects
 * with 429 if the IP address has sent too many requests without a valid credential.
 */
export async function authenticate(req: Request, _res: Response, next: NextFunction): Promise<void> {
  try {
    const revision = req.context.auth.revision();
    const found = principalOf(req);
    req.principal = found instanceof Promise ? await new Deadline(AUTHENTICATION_TIMEOUT).race(found) : found;
    req.confirmed = { at: performance.now(), revision };
  } catch (error) {
    if (error instanceof Problem) await limitAnonymous(req);
    throw error;
  }
  if (req.trustTrace === undefined || req.principal === anonymous) return next();
  req.trustTrace(next);
}

/**
 * Checks the credential of a long request again, before it commits and before it responds. Throws 401, or 404 for a hook, if
 * the credential was revoked. Queries the database only if any credential has changed since the last check.
 */
export async function confirmCredential(req: Request, db: Db): Promise<void> {
  const at = performance.now();
  if (at - req.confirmed.at < CONFIRM_AFTER) return;
  const { auth } = req.context;
  const { revision } = req.confirmed;
  req.confirmed = { at, revision: auth.revision() };
  const isUnchanged = revision !== undefined && revision === req.confirmed.revision;
  // Hooks don't change the revision.
  if (!isUnchanged || req.principal.hookId !== null) await auth.confirm(req.principal, db);
}

function principalOf(req: Request): Principal | Promise<Principal> {
  const { context, headers, match } = req;
  const { token } = match.path;
  if (match.operation.scopes !== null) return context.auth.authenticate(headers, limitGuesses(req));
  return token === undefined ? anonymous : principalOfHook(req, token);
}

async function principalOfHook(req: Request, token: string): Promise<Principal> {
  const principal = await req.context.auth.authenticateHook(token, limitGuesses(req));
  if (principal === undefined) throw notFound('The hook');
  return principal;
}

/**
 * Throws 403 unless the principal has all scopes of one of the alternatives that the contract names for the operation. What
 * exists is looked up later, so nobody without any of them learns about it.
 */
export function authorize({ principal, match }: Request, _res: Response, next: NextFunction) {
  requireAny(principal, match.operation.scopes ?? []);
  next();
}
