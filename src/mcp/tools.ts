import type { Tool } from '@modelcontextprotocol/server';
import { type AgentTool, agentTools } from '../../generated/agent-tools.ts';
import { operations } from '../../generated/operations.ts';
import { invalidField, invalidParameter } from '../problem.ts';
import { covers } from '../scopes.ts';

export type Level = AgentTool['level'];

/** A request to the API, below its base path. */
export interface ApiRequest {
  method: string;
  path: string;
  /** Undefined if the operation takes none. */
  body: object | undefined;
}

/** A tool as `tools/list` shows it. */
type ListedTool = Pick<AgentTool, 'name' | 'description' | 'inputSchema'> & Pick<Tool, 'annotations'>;

const ID = /^[a-z]+_[0-9a-z]{26}$/;

/** The tools that the level and the scopes allow. */
export function listTools(level: Level, scopes: readonly string[]): ListedTool[] {
  const explained = new Set<string>();
  return agentTools
    .filter((tool) => isWithin(level, tool) && isGranted(scopes, tool))
    .map((tool) => listed(tool, explained));
}

export function findTool(name: string): AgentTool | undefined {
  return agentTools.find((tool) => tool.name === name);
}

export function isWithin(level: Level, tool: AgentTool): boolean {
  return level === 'write' || tool.level === 'read';
}

function isGranted(scopes: readonly string[], { operation }: AgentTool): boolean {
  return (
    operations[operation].scopes?.some((needed) => needed.every((scope) => covers(scopes, scope))) ?? true
  );
}

/** Models read the whole list, so a field that several tools have is explained once. */
function listed(tool: AgentTool, explained: Set<string>): ListedTool {
  const { name, title, description, isIdempotent, inputSchema } = tool;
  const properties = Object.entries(inputSchema.properties).map(([field, schema]) => {
    const { description: text, ...rest } = schema;
    const key = `${field}: ${text}`;
    if (explained.has(key)) return [field, rest];
    explained.add(key);
    return [field, schema];
  });
  return {
    name,
    description,
    inputSchema: { ...inputSchema, properties: Object.fromEntries(properties) },
    annotations: {
      title,
      readOnlyHint: tool.level === 'read',
      destructiveHint: false,
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
  };
}

/** The request that a call stands for. Throws 400 or 422 for a value that can't be in its URL. The operation checks all else. */
export function requestOf(tool: AgentTool, values: Record<string, unknown>): ApiRequest {
  const { method, path, consumes } = operations[tool.operation];
  const takesBody = consumes.length > 0;
  const unknown = takesBody ? 'body' : 'query';
  const placeOf = (name: string) => (Object.hasOwn(tool.places, name) ? tool.places[name] : unknown);
  const at = (place: string) => Object.entries(values).filter(([name]) => placeOf(name) === place);
  const query = new URLSearchParams(at('query').flatMap(([name, value]) => parametersOf(name, value)));
  return {
    method: method.toUpperCase(),
    path:
      path.replaceAll(/{(\w+)}/g, (_, name: string) => idIn(values, name)) +
      (query.size > 0 ? `?${query}` : ''),
    body: takesBody ? Object.fromEntries(at('body')) : undefined,
  };
}

/** Anything else could be the path of another operation, such as `/leads/export`. */
function idIn(values: Record<string, unknown>, name: string): string {
  const id = values[name];
  if (typeof id === 'string' && ID.test(id)) return id;
  throw invalidField(name, 'must be an id, as the answers of other tools have it');
}

/** A list as repeated parameters, and an object as `metadata[plan]=gold`. Models send null for what they leave out. */
function parametersOf(name: string, value: unknown): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.map((item) => [name, textOf(name, item)]);
  if (typeof value === 'object') {
    return Object.entries(value).map(([key, member]) => [`${name}[${key}]`, textOf(name, member)]);
  }
  return [[name, String(value)]];
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'object') throw invalidParameter(name, 'must not contain lists, objects or null');
  return String(value);
}
