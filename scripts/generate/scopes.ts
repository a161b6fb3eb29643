/** The scopes that the document defines and requires. */
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';

type Operation = OpenAPI.OperationObject;

/** The alternatives: all scopes of one of them are needed. Null for public operations. */
export function requiredScopes(at: string, operation: Operation, known: string[]): string[][] | null {
  const security = requireValue(operation.security, `${at} has no security`);
  if (security.length === 0) return null;
  const alternatives = security.flatMap(({ oauth2 }) => (oauth2 ? [oauth2] : []));
  if (alternatives.length === 0) throw new Error(`${at} does not allow oauth2`);
  const unknown = alternatives.flat().find((scope) => !known.includes(scope));
  if (unknown) throw new Error(`${at} requires the scope ${unknown}, which oauth2 does not list`);
  return alternatives;
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
