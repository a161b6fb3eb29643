/**
 * Generates generated/ from openapi/, and the tables of docs/errors.md and docs/dependencies.md from the code. With --check, writes nothing and exits with code 1 if a file is out of date.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import type { Document } from '../src/http/validation/contract.ts';
import { toPostmanCollection } from '../src/pages/postman-collection.ts';
import { toServedDocument } from '../src/pages/served-document.ts';
import { bundledDocument } from './bundled-document.ts';
import { renderDependenciesPage } from './dependencies-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { documentScopes, readScopes, requiredScopes, requireValue } from './scopes.ts';
import { typesSource } from './types-source.ts';

type Parameter = OpenAPI.ParameterObject & { 'x-rate-limit'?: string };

type Operation = OpenAPI.OperationObject & {
  'x-rate-limit'?: string;
  'x-body-limit'?: number;
  'x-body-values'?: number;
  'x-checked-by-item'?: string;
  'x-environments'?: string[];
  'x-secret-answer'?: boolean;
  'x-large-answer'?: boolean;
  'x-reads'?: string;
  'x-deprecated-at'?: string;
  'x-sunset'?: string;
  'x-successor'?: string;
};

type Described = { method: string; path: string } & ReturnType<typeof describe>;

const root = new URL('../', import.meta.url);
const notice = '// Generated from openapi/ by `npm run generate`. Do not edit.\n\n';
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const environments = ['production', 'sandbox'];
/** The keywords that generated/limits.ts repeats. */
const limitKeywords = ['enum', 'default', 'maximum', 'maxLength', 'maxItems', 'maxProperties', 'x-max-bytes'];
const LOCAL_ORIGIN = 'http://127.0.0.1:3000';
/** Bytes. An operation can override it with x-body-limit. */
const DEFAULT_BODY_LIMIT = 262_144;
/** An operation can override it with x-body-values. */
const DEFAULT_BODY_VALUES = 10_000;

try {
  await main(process.argv.includes('--check'));
} catch (error) {
  console.error(`npm run generate: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function main(checkOnly: boolean): Promise<void> {
  const document = await bundledDocument();
  const json = `${JSON.stringify(document, null, 2)}\n`;
  const sources = {
    'generated/openapi.json': json,
    'generated/api.ts': notice + (await typesSource(json)),
    'generated/operations.ts': notice + operationsSource(document),
    'generated/event-types.ts': notice + eventTypesSource(document),
    'generated/limits.ts': notice + limitsSource(document),
    'generated/postman-collection.json': postmanSource(document),
    'docs/dependencies.md': renderDependenciesPage(
      await readFile(new URL('docs/dependencies.md', root), 'utf8'),
    ),
    'docs/errors.md': renderErrorsPage(await readFile(new URL('docs/errors.md', root), 'utf8')),
  };
  await mkdir(new URL('generated/', root), { recursive: true });
  for (const [file, source] of Object.entries(sources)) {
    const url = new URL(file, root);
    if (!checkOnly) {
      await writeFile(url, source);
    } else if ((await readFile(url, 'utf8').catch(() => '')) !== source) {
      console.error(`${file} is out of date. Run: npm run generate`);
      process.exitCode = 1;
    }
  }
}

/** For a service on this machine. A service has its own at /postman-collection.json. */
function postmanSource(document: OpenAPI.Document): string {
  const served = toServedDocument(document as Document, LOCAL_ORIGIN);
  return `${JSON.stringify(toPostmanCollection(served), null, 2)}\n`;
}

function operationsSource(document: OpenAPI.Document): string {
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
      operations[id] = { method, path, ...describe(at, operation, parameters, scopes) };
    }
  }
  return render(operations, scopes);
}

/** The event types, as the document's webhooks describe them. */
function eventTypesSource(document: OpenAPI.Document): string {
  const types = Object.entries(document.webhooks ?? {}).map(([type, item]) => {
    const post = 'post' in item ? item.post : undefined;
    const { description, requestBody } = requireValue(post, `the webhook ${type} has no post`);
    const body =
      requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
    return { type, description: description?.trim(), example: body?.example };
  });
  return `import type { components } from './api.ts';

export const eventTypes: components['schemas']['EventTypeDescription'][] = ${literal(types)};
`;
}

/** The enums, defaults and limits of parameters, request bodies and plain values, for code that needs them. */
function limitsSource({
  paths,
  components: { parameters = {}, schemas = {} } = {},
}: OpenAPI.Document): string {
  const bodies = JSON.stringify(paths, (key, value) => (key === 'responses' ? undefined : value));
  const values = Object.entries(schemas).map(([name, schema]): [string, unknown] => {
    const { properties, ...own } = schema as OpenAPI.SchemaObject;
    return [name, limitsOf(bodies.includes(`"#/components/schemas/${name}"`) ? { ...own, properties } : own)];
  });
  const shared = Object.entries(parameters).map(([name, parameter]): [string, unknown] => [
    name,
    limitsOf('schema' in parameter ? parameter.schema : {}),
  ]);
  return `export const schemas = ${literal(Object.fromEntries(values.filter(hasLimits)))} as const;

export const parameters = ${literal(Object.fromEntries(shared.filter(hasLimits)))} as const;
`;
}

function limitsOf(schema: object = {}): object {
  const own = Object.entries(schema).filter(([keyword]) => limitKeywords.includes(keyword));
  const { properties = {} } = schema as OpenAPI.SchemaObject;
  const nested = Object.entries(properties).map(([name, property]): [string, unknown] => [
    name,
    limitsOf(property),
  ]);
  return Object.fromEntries([...own, ...nested.filter(hasLimits)]);
}

function hasLimits([, limits]: [string, unknown]): boolean {
  return Object.keys(limits as object).length > 0;
}

function describe(at: string, operation: Operation, parameters: Parameter[], scopes: string[]) {
  const body =
    operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined;
  return {
    environments: ownEnvironments(at, operation),
    scopes: requiredScopes(at, operation, scopes),
    readScopes: readScopes(at, operation, scopes),
    rateLimit: requireValue(operation['x-rate-limit'], `${at} has no x-rate-limit`),
    query: parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])),
    queryRateLimits: Object.fromEntries(
      parameters.flatMap(({ name, 'x-rate-limit': limit }) => (limit ? [[name, limit]] : [])),
    ),
    idempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    conditional: parameters.some(({ name }) => name === 'If-Match'),
    secretAnswer: operation['x-secret-answer'] ?? false,
    largeAnswer: operation['x-large-answer'] ?? false,
    reads: operation['x-reads'] ?? 'primary',
    consumes: Object.keys(body?.content ?? {}),
    produces: producedTypes(operation),
    bodyRequired: body?.required ?? false,
    bodyLimit: operation['x-body-limit'] ?? DEFAULT_BODY_LIMIT,
    checkedByItem: operation['x-checked-by-item'] ?? null,
    bodyValues: operation['x-body-values'] ?? DEFAULT_BODY_VALUES,
    deprecation: deprecation(at, operation),
  };
}

/** Errors are JSON in any case. */
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

function resolveParameter(
  document: OpenAPI.Document,
  parameter: OpenAPI.ReferenceObject | OpenAPI.ParameterObject,
): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.replace('#/components/parameters/', '');
  const target = requireValue(document.components?.parameters?.[name], `${parameter.$ref} does not exist`);
  return resolveParameter(document, target);
}

function render(operations: Record<string, Described>, scopes: string[]): string {
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
  /** Required scopes. Null for a public operation, empty if a credential without scopes suffices. */
  readonly scopes: readonly Scope[] | null;
  /** By status: scopes needed to see the body, which shows more than the request has sent. Without them the answer is 204. */
  readonly readScopes: Readonly<Record<number, readonly Scope[]>>;
  readonly rateLimit: RateLimitClass;
  /** Names of the query parameters. */
  readonly query: readonly string[];
  /** Rate limit classes by query parameter; a request with the parameter counts in that class instead. */
  readonly queryRateLimits: Readonly<Record<string, RateLimitClass>>;
  /** Accepts an Idempotency-Key. */
  readonly idempotent: boolean;
  /** Accepts If-Match, and answers 412 if the resource has changed. */
  readonly conditional: boolean;
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
  /** A list in the body whose items are checked one by one: a wrong one doesn't fail the request. */
  readonly checkedByItem: string | null;
  /** Maximum values in all objects and arrays of the body. */
  readonly bodyValues: number;
  readonly deprecation: Deprecation | null;
}

export const scopes = ${literal(scopes)} as const;

export type Scope = (typeof scopes)[number];

export const operations = ${literal(operations)} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
`;
}

function union(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' | ');
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/"(\w+)":/g, '$1:');
}
