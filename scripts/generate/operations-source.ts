import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { describeOperation, environments, type Operation, type Parameter } from './describe-operation.ts';
import { literal } from './literal.ts';
import { documentScopes, requireValue } from './scopes.ts';

type Described = { method: string; path: string } & ReturnType<typeof describeOperation>;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Each operation with its policy, for the router. */
export function operationsSource(document: OpenAPI.Document): string {
  const scopes = documentScopes(document);
  const operations: Record<string, Described> = {};
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation: Operation | undefined = item?.[method];
      if (!item || !operation) continue;
      const at = `${method.toUpperCase()} ${path}`;
      const id = requireValue(operation.operationId, `${at} has no operationId`);
      if (operations[id]) throw new Error(`${at} repeats the operationId ${id}`);
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
        resolveParameter(document, parameter),
      );
      operations[id] = { method, path, ...describeOperation(at, operation, parameters, scopes) };
    }
  }
  return render(operations, scopes, aliasesOf(document));
}

/** The media type that each other name stands for. */
function aliasesOf(document: OpenAPI.Document): Record<string, string> {
  const { 'x-media-type-aliases': names = {} } = document as {
    'x-media-type-aliases'?: Record<string, string[]>;
  };
  return Object.fromEntries(
    Object.entries(names).flatMap(([type, aliases]) => aliases.map((alias) => [alias, type])),
  );
}

function resolveParameter(
  document: OpenAPI.Document,
  parameter: OpenAPI.ReferenceObject | OpenAPI.ParameterObject,
): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.replace('#/components/parameters/', '');
  const target = requireValue(document.components?.parameters?.[name], `${parameter.$ref} does not exist`);
  return resolveParameter(document, target);
}

function render(
  operations: Record<string, Described>,
  scopes: string[],
  mediaTypeAliases: Record<string, string>,
): string {
  const classes = Object.values(operations).flatMap((operation) => [
    operation.rateLimit,
    ...Object.values(operation.queryRateLimits),
  ]);
  return `export type Method = ${union(methods)};

export type RateLimitClass = ${union([...new Set(classes)].sort())};

export interface Deprecation {
  readonly deprecatedAt: string;
  readonly sunset: string;
  readonly successor: string | null;
}

export interface Operation {
  readonly method: Method;
  /** Path template, such as /leads/{id}. */
  readonly path: string;
  /** The environments that have the operation. The others answer 404. */
  readonly environments: readonly (${union(environments)})[];
  /** The alternatives: all scopes of one of them are needed, which may be none. Null for a public operation. */
  readonly scopes: readonly (readonly Scope[])[] | null;
  readonly rateLimit: RateLimitClass;
  /** Names of the query parameters. */
  readonly query: readonly string[];
  /** Rate limit classes by query parameter; a request with the parameter counts in that class instead. */
  readonly queryRateLimits: Readonly<Record<string, RateLimitClass>>;
  /** Accepts an Idempotency-Key. */
  readonly idempotent: boolean;
  /** Accepts If-Match, and answers 412 if the resource has changed. */
  readonly conditional: boolean;
  /** Accepts Dry-Run. */
  readonly dryRun: boolean;
  /** The handler opens its transaction itself: before, it reads a file, or waits for another connection. */
  readonly ownTransaction: boolean;
  /** The response contains a secret that is shown once, so a stored response must be encrypted. */
  readonly secretAnswer: boolean;
  /** The response may be large for any request, so only a few are built concurrently. */
  readonly largeAnswer: boolean;
  /** The server to read from. A replica may be a moment behind the primary. */
  readonly reads: 'primary' | 'replica';
  /** Accepted media types of the request body. */
  readonly consumes: readonly string[];
  /** Media types of the response, the default first. */
  readonly produces: readonly string[];
  /** Whether the request body is required. */
  readonly bodyRequired: boolean;
  /** Maximum size of the decompressed body. Bytes. */
  readonly bodyLimit: number;
  /** The handler reads the bytes of the body. It may be in any charset. */
  readonly rawBody: boolean;
  /** Maximum size of multipart/form-data with its files, if it is another. Bytes. */
  readonly multipartLimit: number | null;
  /** A list in the body whose items are checked one by one: a wrong one doesn't fail the request. */
  readonly checkedByItem: string | null;
  /** Maximum values in all objects and arrays of the body. */
  readonly bodyValues: number;
  readonly deprecation: Deprecation | null;
}

export const scopes = ${literal(scopes)} as const;

export type Scope = (typeof scopes)[number];

/** The media types of the operations, by their other names. */
export const mediaTypeAliases: Readonly<Record<string, string>> = ${literal(mediaTypeAliases)};

export const operations = ${literal(operations)} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
`;
}

function union(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' | ');
}
