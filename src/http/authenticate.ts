import type { NextFunction, Request, Response } from 'express';
import { anonymous } from '../auth/principal.ts';
import { missingScope } from '../auth/scopes.ts';
import { Problem } from './problem.ts';
import { limitAnonymous } from './rate-limit.ts';

/** Sets `req.principal`, or fails with 401, or with 429 when too many came without a valid credential from one address. */
export async function authenticate(req: Request, _res: Response, next: NextFunction): Promise<void> {
  if (req.match.operation.scopes === null) {
    req.principal = anonymous;
    return next();
  }
  try {
    req.principal = await req.context.auth.authenticate(req.headers);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) await limitAnonymous(req);
    throw error;
  }
  next();
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
