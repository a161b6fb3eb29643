import type { NextFunction, Request, Response } from 'express';
import type { Operation, OperationId } from '../../generated/operations.ts';
import { basePaths, type Environment, environments, mcpPaths } from '../environment.ts';
import { Problem } from '../problem.ts';
import { type OperationMatch, routeNotFound } from './find-operation.ts';

/** Requests of MCP pass the same middlewares as an operation that every client may call. The document lacks it. */
const mcpOperation: Operation = {
  method: 'post',
  path: '/mcp',
  environments,
  scopes: [[]],
  rateLimit: 'read',
  query: [],
  queryRateLimits: {},
  idempotent: false,
  conditional: false,
  dryRun: false,
  ownTransaction: false,
  secretAnswer: false,
  largeAnswer: false,
  reads: 'primary',
  consumes: ['application/json'],
  produces: ['application/json'],
  bodyRequired: true,
  bodyLimit: 262_144,
  rawBody: false,
  multipartLimit: null,
  checkedByItem: null,
  bodyValues: 10_000,
  deprecation: null,
};

/** Sets `req.match`. Throws 404 for a path below, and 405 for anything but POST. */
export function findMcp(req: Request, _res: Response, next: NextFunction): void {
  if (req.path !== '/') throw routeNotFound(req);
  if (req.method !== 'POST') {
    const headers = { Allow: 'POST' };
    throw new Problem('method_not_allowed', `${req.method} is not allowed here; use POST.`, { headers });
  }
  req.match = { id: 'mcp' as OperationId, operation: mcpOperation, path: {} };
  next();
}

export function isMcp({ operation }: OperationMatch): boolean {
  return operation === mcpOperation;
}

/** The path of an operation, with its variables, as clients call it. */
export function routeOf(environment: Environment, match: OperationMatch): string {
  return isMcp(match) ? mcpPaths[environment] : basePaths[environment] + match.operation.path;
}
