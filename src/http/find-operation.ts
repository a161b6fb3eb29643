import type { NextFunction, Request, Response } from 'express';
import findMyWay from 'find-my-way';
import type { Operation, OperationId } from '../../generated/operations.ts';
import type { Environment } from '../environment.ts';
import { Problem } from '../problem.ts';
import { respond } from './respond.ts';

export interface OperationMatch {
  id: OperationId;
  operation: Operation;
  path: Record<string, string | undefined>;
}

/** The contract's operations by id. */
export type Operations = Readonly<Record<string, Operation>>;

/** Maximum length of the request target (path and query). Characters. */
const MAX_URL_LENGTH = 8192;
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/**
 * A radix tree over the contract's paths, built once. Unlike a list of regular expressions, it doesn't become slower with
 * each path.
 *
 * Matches the path before the method, so that `DELETE /leads/export` doesn't match `DELETE /leads/{id}`.
 */
function createOperationLookup(
  operations: Operations,
): (method: string, path: string) => OperationMatch | undefined {
  const tree = findMyWay({ caseSensitive: true, maxParamLength: MAX_URL_LENGTH });
  const noop = () => undefined;
  const byPath = Map.groupBy(Object.entries(operations), ([, { path }]) => path);
  for (const [path, group] of byPath) {
    const byMethod = Object.fromEntries(
      group.map(([id, operation]) => [operation.method.toUpperCase(), { id, operation }]),
    );
    tree.on('GET', path.replaceAll(/{(\w+)}/g, ':$1'), noop, byMethod);
  }
  return (method, path) => {
    const found = tree.find('GET', path);
    const operation = found?.store?.[method];
    if (!operation || Object.values(found?.params ?? {}).includes('')) return undefined;
    return { ...operation, path: found?.params };
  };
}

/** A 404 for an unknown path. `hint` is a sentence that says what the client probably meant. */
export function routeNotFound({ baseUrl, path }: Request, hint?: string): Problem {
  const why = /\/\/|.\/$/.test(path) ? ', whose path has an empty segment' : '';
  return new Problem('not_found', `There is nothing at ${baseUrl}${path}${why}.${hint ? ` ${hint}` : ''}`);
}

/** Sets `req.match`. Handles OPTIONS, 404, 405 and 414. An operation that its environment lacks is a 404. */
export function findOperation(
  operations: Operations,
): (req: Request, res: Response, next: NextFunction) => void {
  const find = createOperationLookup(operations);

  function lookup(environment: Environment, method: string, path: string): OperationMatch | undefined {
    const match = find(method, path);
    return match?.operation.environments.includes(environment) ? match : undefined;
  }

  function allowed(environment: Environment, path: string): string[] {
    const methods: string[] = METHODS.filter((method) => lookup(environment, method, path) !== undefined);
    if (methods.includes('GET')) methods.push('HEAD');
    return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
  }

  return (req, res, next) => {
    if (req.originalUrl.length > MAX_URL_LENGTH) {
      throw new Problem('uri_too_long', `The URL must not be longer than ${MAX_URL_LENGTH} characters.`);
    }
    const { environment } = req;
    const match = lookup(environment, req.method === 'HEAD' ? 'GET' : req.method, req.path);
    if (match !== undefined) {
      req.match = match;
      return next();
    }
    const methods = allowed(environment, req.path);
    if (methods.length === 0) {
      // An empty segment in between may stand for a missing id.
      const withoutEmpty = req.path.replace(/^\/+/, '/').replace(/(?<!\/)\/+$/, '');
      const exists = withoutEmpty !== req.path && allowed(environment, withoutEmpty).length > 0;
      throw routeNotFound(req, exists ? `Did you mean ${req.baseUrl}${withoutEmpty}?` : undefined);
    }
    const Allow = methods.join(', ');
    if (req.method === 'OPTIONS') {
      const patched = lookup(environment, 'PATCH', req.path)?.operation.consumes;
      Object.assign(req.responseHeaders ?? {}, {
        Allow,
        ...(patched && { 'Accept-Patch': patched.join(', ') }),
      });
      return respond(req, res, 204);
    }
    throw new Problem('method_not_allowed', `${req.method} is not allowed here; use ${Allow}.`, {
      headers: { Allow },
    });
  };
}
