import { isNode, type Node } from './node.ts';

/**
 * Adds the headers that an operation takes by rule, before its own parameters:
 *
 * - `Idempotency-Key`: a POST or PATCH that writes. `x-no-idempotency-key: true` is the exception.
 * - `If-Match`: a DELETE, and anything else that writes and answers with a resource that existed before: its 200 has an ETag,
 *   or its 202 has one and no Location.
 * - `If-None-Match`: a GET whose 200 has an ETag. With `*`, a PATCH that may answer 201.
 * - `Dry-Run`: everything that writes. The exception has the parameter `dry_run`: in code, both would have the same name.
 * - `Acting-User`: everything that writes.
 *
 * An operation writes if it isn't a GET and needs a scope other than `:read`. `x-stores-nothing: true` is the exception.
 */
export function addHeaderParameters(operation: Node, method: string): Node {
  const { 'x-no-idempotency-key': keyless, 'x-stores-nothing': storesNothing, ...plain } = operation;
  if (method === 'get') return hasETag(plain) ? withParameters(plain, ['IfNoneMatch']) : plain;
  if (storesNothing || !needsWriteScope(plain)) return plain;
  const names = [];
  if (!keyless && ['post', 'patch'].includes(method)) names.push('IdempotencyKey');
  if (method === 'delete' || hasETag(plain) || answersWithOld(plain)) names.push('IfMatch');
  if (method === 'patch' && answer(plain, 201)) names.push('IfNoneMatchToCreate');
  if (!hasParameter(plain, 'dry_run')) names.push('DryRun');
  return withParameters(plain, [...names, 'ActingUser']);
}

function answer({ responses }: Node, status: number): unknown {
  return isNode(responses) ? responses[status] : undefined;
}

function headersOf(operation: Node, status: number): Node {
  const found = answer(operation, status);
  return isNode(found) && isNode(found.headers) ? found.headers : {};
}

function hasETag(operation: Node): boolean {
  return 'ETag' in headersOf(operation, 200);
}

function answersWithOld(operation: Node): boolean {
  const headers = headersOf(operation, 202);
  return 'ETag' in headers && !('Location' in headers);
}

function hasParameter({ parameters = [] }: Node, name: string): boolean {
  return (parameters as Node[]).some((parameter) => parameter.name === name);
}

function needsWriteScope({ security }: Node): boolean {
  if (!Array.isArray(security) || security.length === 0) return false;
  const scopes = security.flatMap((requirement) => Object.values(requirement).flat());
  return scopes.length === 0 || scopes.some((scope) => !String(scope).endsWith(':read'));
}

/** The operation with these parameters first. Its keys stay in the order in which people write them. */
function withParameters({ parameters = [], requestBody, responses, ...rest }: Node, names: string[]): Node {
  const headers = names.map((name) => ({ $ref: `./common.yaml#/components/parameters/${name}` }));
  return {
    ...rest,
    parameters: [...headers, ...(parameters as unknown[])],
    ...(requestBody !== undefined && { requestBody }),
    responses,
  };
}
