import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { requiredScopes, requireValue } from './scopes.ts';

export type Parameter = OpenAPI.ParameterObject & { 'x-rate-limit'?: string };

export type Operation = OpenAPI.OperationObject & {
  'x-rate-limit'?: string;
  'x-body-limit'?: number;
  'x-body-values'?: number;
  'x-raw-body'?: boolean;
  'x-multipart-limit'?: number;
  'x-checked-by-item'?: string;
  'x-environments'?: string[];
  'x-secret-answer'?: boolean;
  'x-large-answer'?: boolean;
  'x-reads'?: string;
  'x-own-transaction'?: boolean;
  'x-agent'?: string;
  'x-deprecated-at'?: string;
  'x-sunset'?: string;
  'x-successor'?: string;
};

export const environments = ['production', 'sandbox'];
/** Bytes. An operation can override it with x-body-limit. */
const DEFAULT_BODY_LIMIT = 262_144;
/** An operation can override it with x-body-values. */
const DEFAULT_BODY_VALUES = 10_000;

/** The policy of an operation, as generated/operations.ts lists it. `scopes` are all that the document knows. */
export function describeOperation(
  at: string,
  operation: Operation,
  parameters: Parameter[],
  scopes: string[],
) {
  const body =
    operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined;
  return {
    environments: ownEnvironments(at, operation),
    scopes: requiredScopes(at, operation, scopes),
    rateLimit: requireValue(operation['x-rate-limit'], `${at} has no x-rate-limit`),
    query: parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])),
    queryRateLimits: Object.fromEntries(
      parameters.flatMap(({ name, 'x-rate-limit': limit }) => (limit ? [[name, limit]] : [])),
    ),
    idempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    conditional: parameters.some(({ name }) => name === 'If-Match'),
    dryRun: parameters.some(({ name }) => name === 'Dry-Run'),
    ownTransaction: operation['x-own-transaction'] ?? false,
    secretAnswer: operation['x-secret-answer'] ?? false,
    largeAnswer: operation['x-large-answer'] ?? false,
    reads: operation['x-reads'] ?? 'primary',
    consumes: Object.keys(body?.content ?? {}),
    produces: producedTypes(operation),
    bodyRequired: body?.required ?? false,
    bodyLimit: operation['x-body-limit'] ?? DEFAULT_BODY_LIMIT,
    rawBody: operation['x-raw-body'] ?? false,
    multipartLimit: operation['x-multipart-limit'] ?? null,
    checkedByItem: operation['x-checked-by-item'] ?? null,
    bodyValues: operation['x-body-values'] ?? DEFAULT_BODY_VALUES,
    deprecation: deprecation(at, operation),
  };
}

/** The media types of successful responses. Errors are always JSON. */
function producedTypes({ responses = {} }: Operation): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = successes.flatMap(([, response]) =>
    'content' in response ? Object.keys(response.content ?? {}) : [],
  );
  return types.length === 0 ? ['application/json'] : [...new Set(types)];
}

function ownEnvironments(at: string, operation: Operation): string[] {
  const own = operation['x-environments'] ?? environments;
  const unknown = own.find((environment) => !environments.includes(environment));
  if (unknown) throw new Error(`${at} has the unknown environment ${unknown}`);
  return own;
}

function deprecation(at: string, operation: Operation) {
  if (!operation.deprecated) return null;
  return {
    deprecatedAt: requireValue(operation['x-deprecated-at'], `${at} is deprecated without x-deprecated-at`),
    sunset: requireValue(operation['x-sunset'], `${at} is deprecated without x-sunset`),
    successor: operation['x-successor'] ?? null,
  };
}
