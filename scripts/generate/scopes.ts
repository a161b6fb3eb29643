/** The scopes that the document defines and requires. */
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';

type Operation = OpenAPI.OperationObject;

export function requiredScopes(at: string, operation: Operation, known: string[]): string[] | null {
  const security = requireValue(operation.security, `${at} has no security`);
  if (security.length === 0) return null;
  const scopes = requireValue(security.find(({ oauth2 }) => oauth2)?.oauth2, `${at} does not allow oauth2`);
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown) throw new Error(`${at} requires the scope ${unknown}, which oauth2 does not list`);
  return scopes;
}

/** By status, the scopes needed to see a body that shows more than the request sent. */
export function readScopes(
  at: string,
  { responses = {} }: Operation,
  known: string[],
): Record<string, string[]> {
  const needed = Object.entries(responses).flatMap(([status, response]): [string, string[]][] =>
    'x-read-scopes' in response ? [[status, response['x-read-scopes'] as string[]]] : [],
  );
  const unknown = needed.flatMap(([, scopes]) => scopes).find((scope) => !known.includes(scope));
  if (unknown) throw new Error(`${at} has the unknown scope ${unknown} in x-read-scopes`);
  return Object.fromEntries(needed);
}

export function documentScopes(document: OpenAPI.Document): string[] {
  const scheme = requireValue(
    document.components?.securitySchemes?.oauth2,
    'there is no security scheme oauth2',
  );
  const flow = 'flows' in scheme ? scheme.flows.clientCredentials : undefined;
  return Object.keys(requireValue(flow?.scopes, 'oauth2 has no client credentials flow'));
}

export function requireValue<T>(value: T | null | undefined, message: string): T {
  if (value === undefined || value === null) throw new Error(message);
  return value;
}
