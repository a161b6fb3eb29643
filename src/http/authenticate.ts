import type { NextFunction, Request, Response } from 'express';
import { anonymous, type Principal } from '../auth/principal.ts';
import { missingScope } from '../auth/scopes.ts';
import { withTimeout } from '../db/deadline.ts';
import { notFound, Problem } from './problem.ts';
import { limitAnonymous, limitGuesses } from './rate-limit.ts';

/** How long it may take to find out who asks (milliseconds): two look-ups by a key at most. */
const TIME_LIMIT = 3_000;

/** Sets `req.principal`, or fails with 401 (404 for the token in a hook's address), or with 429 when too many came without a valid credential from one address. */
export async function authenticate(req: Request, _res: Response, next: NextFunction): Promise<void> {
  try {
    req.principal = await withTimeout(TIME_LIMIT, principalOf(req));
  } catch (error) {
    if (error instanceof Problem) await limitAnonymous(req);
    throw error;
  }
  next();
}

async function principalOf(req: Request): Promise<Principal> {
  const { context, headers, match } = req;
  const { token } = match.path;
  if (match.operation.scopes !== null) return context.auth.authenticate(headers, limitGuesses(req));
  if (token === undefined) return anonymous;
  const principal = await context.auth.authenticateHook(token, limitGuesses(req));
  if (principal === undefined) throw notFound('The hook');
  return principal;
}

/** 403 unless the caller holds every scope that the contract names for the operation. */
export function authorize(req: Request, _res: Response, next: NextFunction) {
  const needed = missingScope(req.principal.scopes, req.match.operation.scopes ?? []);
  if (needed === undefined) return next();
  throw new Problem(
    'insufficient_scope',
    `This needs the scope ${needed}; the credential has ${req.principal.scopes.join(' ') || 'none'}.`,
    { details: { required_scope: needed } },
  );
}
