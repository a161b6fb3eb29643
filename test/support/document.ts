/** The document as plain data with resolved references, for tests of its rules. */
import { readFileSync } from 'node:fs';
import { dereference } from '../../scripts/release/dereference.ts';

export interface Schema {
  type?: string | string[];
  description?: string;
  pattern?: string;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  'x-extensible-enum'?: boolean;
  const?: unknown;
  discriminator?: { mapping?: Record<string, string> };
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** Anything with a schema and examples: a parameter, a header, or a body in one media type. */
interface Described {
  description?: string;
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Parameter extends Described {
  required?: boolean;
  name: string;
  in: string;
}

interface Header extends Described {
  required?: boolean;
}

export interface Response {
  description?: string;
  headers?: Record<string, Header>;
  content?: Record<string, Described>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { description?: string; content: Record<string, Described> };
  responses: Record<string, Response>;
  'x-rate-limit'?: string;
  'x-body-limit'?: number;
  'x-environments'?: string[];
  'x-error-codes': string[];
}

type PathItem = { parameters?: Parameter[] } & { [method: string]: Operation };

export interface Document {
  tags: { name: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  'x-error-codes': Record<string, { status: number; when?: string; cause: string; remedy: string }>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: { oauth2: { flows: { clientCredentials: { scopes: Record<string, string> } } } };
  };
}

/** An operation, in the form that the rules need. */
export interface Endpoint extends Operation {
  /** For messages: GET /leads */
  at: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Request bodies by media type. */
  bodies: Record<string, Described>;
}

/** The path to a member of the document, and its new value. Undefined removes it. */
export type Change = { at: string[]; to: unknown };

/** Maps with free keys. A change of metadata has one in `from` and one in `to`. */
const openMaps = [
  'metadata',
  'errors',
  'from',
  'to',
  'payload',
  'mapping',
  'defaults',
  'values',
  'filter',
  'update',
  'headers',
];

export function readDocument(change?: Change): Document {
  const source: Document = JSON.parse(
    readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
  );
  if (change) apply(source, change);
  return dereference(source);
}

export function endpoints({ paths }: Document): Endpoint[] {
  return Object.entries(paths).flatMap(([path, { parameters: shared = [], ...operations }]) =>
    Object.entries(operations as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      at: `${method.toUpperCase()} ${path}`,
      method,
      path,
      parameters: [...shared, ...(operation.parameters ?? [])],
      bodies: operation.requestBody?.content ?? {},
    })),
  );
}

/** Every part of an operation that has a schema, with its place. */
export function described(endpoint: Endpoint): [string, Described][] {
  const { at, parameters, bodies, responses } = endpoint;
  return [
    ...parameters.map((parameter): [string, Described] => [`${at} ${parameter.name}`, parameter]),
    ...Object.entries(bodies).map(([type, body]): [string, Described] => [`${at} ${type}`, body]),
    ...Object.entries(responses).flatMap(([status, { headers = {}, content = {} }]) =>
      Object.entries({ ...headers, ...content }).map(([name, value]): [string, Described] => [
        `${at} ${status} ${name}`,
        value,
      ]),
    ),
  ];
}

/** A schema and all its parts. The name is that of the property, if it is one. */
export function* subschemas(schema: Schema, at: string, name = ''): Generator<[string, Schema, string]> {
  yield [at, schema, name];
  for (const [property, value] of Object.entries(schema.properties ?? {})) {
    yield* subschemas(value, `${at}.${property}`, property);
  }
  const { items, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema;
  if (items) yield* subschemas(items, `${at}[]`);
  // The translations of a field are a map, too.
  const inner = name === 'values' ? name : '';
  if (typeof additionalProperties === 'object') yield* subschemas(additionalProperties, `${at}.*`, inner);
  for (const part of [...allOf, ...anyOf, ...oneOf]) yield* subschemas(part, at);
}

/** Whether an object accepts members that it does not name, as every map does. */
export function isOpen(schema: Schema, name: string): boolean {
  const isObject = [schema.type].flat().includes('object') || schema.properties !== undefined;
  // The kinds of a union say which fields it has.
  return (
    isObject &&
    schema.oneOf === undefined &&
    schema.additionalProperties !== false &&
    !openMaps.includes(name)
  );
}

export function isNullable(schema: Schema): boolean {
  return [schema.type].flat().includes('null') || (schema.enum ?? []).includes(null);
}

export function success(endpoint: Endpoint): Response | undefined {
  return successes(endpoint)[0];
}

/** All successful responses, because some operations answer either 200 or 201. */
export function successes({ responses }: Endpoint): Response[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') ? [response] : [],
  );
}

export function takes({ parameters }: Endpoint, name: string): boolean {
  return parameters.some((parameter) => parameter.name === name);
}

export function eachResponse(document: Document) {
  return endpoints(document).flatMap(({ at, responses }) =>
    Object.entries(responses).map(([status, response]) => [`${at} ${status}`, response, status] as const),
  );
}

export function allSchemas(document: Document) {
  return endpoints(document).flatMap((endpoint) =>
    described(endpoint).flatMap(([at, { schema }]) => [...subschemas(schema, at)]),
  );
}

/**
 * The schemas of JSON request bodies. RFC 6749 requires that unknown parameters of a form are ignored, and the contract does
 * not define the data of a hook.
 */
export function requestSchemas({ at, path, bodies }: Endpoint) {
  if (path.startsWith('/hooks/')) return [];
  return Object.entries(bodies)
    .filter(([type]) => type.endsWith('json'))
    .flatMap(([type, { schema }]) => [...subschemas(schema, `${at} ${type}`)]);
}

export function responseSchemas({ at, responses }: Endpoint) {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap(({ schema }) => [...subschemas(schema, `${at} ${status}`)]),
  );
}

function apply(root: unknown, { at, to }: Change): void {
  const parent = member(root, at.slice(0, -1)) as Record<string, unknown>;
  const name = at.at(-1) ?? '';
  if (to === undefined) delete parent[name];
  else parent[name] = to;
}

function member(root: unknown, names: string[]): unknown {
  return names.reduce((node, name) => {
    const found = (node as Record<string, unknown>)[name];
    if (found === undefined) throw new Error(`The document has no ${names.join('/')}`);
    return found;
  }, root);
}
