import { isNode, type Node } from './node.ts';

/**
 * Writes a text once for several resources. An entry with `x-for: [lead, contact]` becomes one for each of them. In its name
 * and in everything that it has, {resource} stands for lead, {Resource} for Lead, {resources} for leads, and {Resources} for
 * Leads. Where they differ, the value is `{ x-lead: …, x-contact: … }`. A resource that isn't named there has no such value.
 */
export function fillPlaceholders<Value>(value: Value): Value {
  if (!isNode(value)) return value;
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (!isNode(member) || member['x-for'] === undefined) return [[key, fillPlaceholders(member)]];
    const { 'x-for': resources, ...text } = member;
    return (resources as string[]).map((resource) => [
      filled(key, resource),
      chosen(filled(text, resource), resource, resources as string[]),
    ]);
  });
  return Object.fromEntries(entries) as Value;
}

function filled<Value>(value: Value, resource: string): Value {
  const names: Record<string, string> = {
    '{resource}': resource,
    '{Resource}': capitalized(resource),
    '{resources}': plural(resource),
    '{Resources}': capitalized(plural(resource)),
  };
  return JSON.parse(JSON.stringify(value).replaceAll(/\{[Rr]esources?\}/g, (name) => names[name] ?? name));
}

function plural(resource: string): string {
  return resource === 'content' ? resource : `${resource}s`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The value for this resource, at each place where the resources differ. */
function chosen(value: unknown, resource: string, resources: string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => chosen(item, resource, resources));
  if (!isNode(value)) return value;
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (!isNode(member) || !differs(member, resources)) return [[key, chosen(member, resource, resources)]];
    const own = member[`x-${resource}`];
    return own === undefined ? [] : [[key, chosen(own, resource, resources)]];
  });
  return Object.fromEntries(entries);
}

function differs(node: Node, resources: string[]): boolean {
  const keys = Object.keys(node);
  return keys.length > 0 && keys.every((key) => resources.some((resource) => key === `x-${resource}`));
}
