import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { dereference } from './dereference.ts';

type Node = Record<string, unknown>;

/** Keywords that only people read. */
const prose = ['description', 'summary', 'title', 'example', 'examples', 'externalDocs', 'x-message'];
/** Objects whose keys are names, even if one looks like a keyword. */
const containers = [
  ...['paths', 'webhooks', 'properties', 'patternProperties', 'headers', 'responses', 'content'],
  ...['securitySchemes', 'scopes', 'mapping'],
];

/**
 * The names of everything that differs for clients: paths, event types, parameters, headers, fields, statuses, values,
 * scopes, servers and schemas. Prose may differ. So may schemas that operations repeated before and now share.
 */
export function changedNames(before: OpenAPI.Document, after: OpenAPI.Document): string[] {
  const names = differences(contract(before), contract(after), 'openapi');
  const schemas = Object.keys(after.components?.schemas ?? {});
  const lost = Object.keys(before.components?.schemas ?? {}).filter((name) => !schemas.includes(name));
  return [...new Set([...names, ...lost])];
}

function contract(document: OpenAPI.Document): Node {
  const { servers, paths, webhooks, components } = dereference(document);
  return { servers, paths, webhooks, securitySchemes: components?.securitySchemes };
}

/** `name`: of the nearest named thing around the node. `container`: what the node is, if its keys are names. */
function differences(before: unknown, after: unknown, name: string, container?: string): string[] {
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, name);
  if (!isNode(before) || !isNode(after)) return before === after ? [] : [name];
  return union(Object.keys(before), Object.keys(after)).flatMap((key) => {
    const [was, is] = [before[key], after[key]];
    if (container === undefined) {
      const inside = containers.includes(key) ? key : undefined;
      return prose.includes(key) ? [] : differences(was, is, name, inside);
    }
    const isDescribed = container === 'scopes' && was !== undefined && is !== undefined;
    return isDescribed ? [] : differences(was, is, key);
  });
}

/** In any order. */
function listDifferences(before: unknown[], after: unknown[], name: string): string[] {
  const [was, is] = [before, after].map((list) => new Map(list.map((member) => [keyOf(member), member])));
  return union([...(was?.keys() ?? [])], [...(is?.keys() ?? [])]).flatMap((key) => {
    const [old, next] = [was?.get(key), is?.get(key)];
    return differences(old, next, nameOf(old ?? next) ?? name);
  });
}

function keyOf(member: unknown): string {
  return nameOf(member) ?? JSON.stringify(member);
}

/** A value is its own name. Parameters and servers have a name. A union's members have a field that distinguishes them. */
function nameOf(member: unknown): string | undefined {
  if (!isNode(member)) return String(member);
  const fields = Object.values((member.properties ?? {}) as Record<string, Node>);
  const kind = fields.find((field) => field.const !== undefined)?.const;
  return (member.name ?? member.url ?? kind) as string | undefined;
}

function union(some: string[], others: string[]): string[] {
  return [...new Set([...some, ...others])];
}

function isNode(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
