import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import type { Operation, Parameter } from './describe-operation.ts';
import { literal } from './literal.ts';
import { requireValue } from './scopes.ts';

type Schema = Record<string, unknown>;
type Place = 'path' | 'query' | 'body';

/** A field of a tool's input, and the part of the request that it belongs to. */
interface Field {
  name: string;
  place: Place;
  schema: Schema;
  isRequired: boolean;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const levels = ['read', 'write'];
/** Agents page with `cursor`. `fields` leaves out what a tool's description promises. */
const unneeded = ['page', 'fields'];
/** What tells a model how to write a value. The operation checks everything else. */
const keywords = ['type', 'enum', 'format', 'maximum', 'default'];
/** Other formats are this contract's own. */
const formats = ['date', 'email', 'uri'];
/** Longer lists of values would take more of a model's context than they are worth. */
const MAX_VALUES = 20;
/** A description has as many of its first sentences as fit, and at least one. */
const MAX_DESCRIPTION = 80;

/** The operations that agents get as tools: those with `x-agent`. */
export function agentToolsSource(document: OpenAPI.Document): string {
  const tools = Object.values(document.paths ?? {}).flatMap((item) =>
    methods.flatMap((method) => {
      const operation: Operation | undefined = item?.[method];
      const shared = item?.parameters ?? [];
      return operation?.['x-agent'] === undefined ? [] : [toolOf(document, method, operation, shared)];
    }),
  );
  return `import type { JSONValue } from '@modelcontextprotocol/server';
import type { OperationId } from './operations.ts';

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: OperationId;
  readonly level: 'read' | 'write';
  /** Whether a repeated call changes nothing more. */
  readonly isIdempotent: boolean;
  /** The part of the request that each field of the input belongs to. */
  readonly places: Readonly<Record<string, 'path' | 'query' | 'body'>>;
  readonly inputSchema: { type: 'object'; properties: Record<string, Field>; required?: string[] };
}

interface Field {
  [keyword: string]: JSONValue;
}

export const agentTools: readonly AgentTool[] = ${literal(tools)};
`;
}

function toolOf(
  document: OpenAPI.Document,
  method: string,
  operation: Operation,
  shared: (OpenAPI.ReferenceObject | OpenAPI.ParameterObject)[],
) {
  const id = requireValue(operation.operationId, 'An operation with x-agent has no operationId');
  const level = operation['x-agent'] ?? '';
  if (!levels.includes(level)) throw new Error(`${id}: x-agent must be read or write`);
  const parameters = [...shared, ...(operation.parameters ?? [])].map((one) =>
    resolve<Parameter>(document, one),
  );
  const fields = [...parameters.flatMap(fieldOf), ...bodyFields(document, operation)];
  const names = fields.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${id}: x-agent needs distinct names, but there are two ${twice}`);
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    name: id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: operation.summary,
    description: firstSentences(requireValue(operation.description, `${id} has no description`)),
    operation: id,
    level,
    isIdempotent: level === 'read' || method === 'patch',
    places: Object.fromEntries(fields.map(({ name, place }) => [name, place])),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, compact(document, schema)])),
      ...(required.length > 0 && { required }),
    },
  };
}

function fieldOf({ name, in: place, description, schema, required = false }: Parameter): Field[] {
  if ((place !== 'path' && place !== 'query') || unneeded.includes(name)) return [];
  return [{ name, place, schema: { ...schema, description }, isRequired: required }];
}

function bodyFields(document: OpenAPI.Document, { requestBody }: Operation): Field[] {
  const { content = {} } = resolve<OpenAPI.RequestBodyObject>(document, requestBody ?? {});
  const [{ schema = {} } = {}] = Object.values(content);
  const { properties = {}, required = [] } = resolve<OpenAPI.SchemaObject>(document, schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    place: 'body',
    schema: property as Schema,
    isRequired: required.includes(name),
  }));
}

/** A schema as a model needs it. */
function compact(document: OpenAPI.Document, given: Schema): Schema {
  const { $ref: _, ...schema } = { ...resolve<Schema>(document, given), ...given };
  const kept = keywords.filter((keyword) => keyword in schema && isKept(keyword, schema[keyword]));
  const { description, items, properties } = schema as {
    description?: string;
    items?: Schema;
    properties?: object;
  };
  return {
    ...Object.fromEntries(kept.map((keyword) => [keyword, schema[keyword]])),
    ...(description !== undefined && { description: firstSentences(description) }),
    ...(items !== undefined && { items: withoutDescription(compact(document, items)) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, withoutDescription(compact(document, one))]),
      ),
    }),
  };
}

function isKept(keyword: string, value: unknown): boolean {
  if (keyword === 'format') return formats.includes(String(value));
  return keyword !== 'enum' || (value as unknown[]).length <= MAX_VALUES;
}

function withoutDescription({ description: _, ...schema }: Schema): Schema {
  return schema;
}

function firstSentences(description: string): string {
  const [first = '', ...others] = description
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.]) /);
  let text = first;
  for (const sentence of others) {
    const longer = `${text} ${sentence}`;
    if (longer.length > MAX_DESCRIPTION) break;
    text = longer;
  }
  return text;
}

function resolve<Target extends object>(document: OpenAPI.Document, node: object): Target {
  if (!('$ref' in node)) return node as Target;
  const path = String(node.$ref).split('/').slice(1);
  const target = path.reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[key], document);
  return resolve(document, requireValue(target as object | undefined, `${node.$ref} does not exist`));
}
