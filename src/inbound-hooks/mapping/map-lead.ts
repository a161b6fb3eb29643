import type { InboundHookRow, MappingRule } from '../tables.ts';

/**
 * Maps the payload to the body of a lead, without validating it. Trims strings, converts numbers and booleans to strings,
 * and treats empty values as absent. Leaves any other value for the validation to reject.
 */
export function mapLead(
  { mapping, lead_source, default_tags }: Pick<InboundHookRow, 'mapping' | 'lead_source' | 'default_tags'>,
  payload: unknown,
): Record<string, unknown> {
  const found = Object.entries(mapping).flatMap(([field, rule]): [string, unknown][] => {
    const value = Array.isArray(rule) ? undefined : evaluate(rule, payload);
    return value === undefined ? [] : [[field, value]];
  });
  const tags = [mapping.tags ?? []].flat().flatMap((rule) => [evaluate(rule, payload)].flat());
  const value = membersOf('value', found);
  return {
    source: lead_source,
    ...Object.fromEntries(found.filter(([field]) => !field.includes('.'))),
    ...('amount' in value && { value }),
    tags: [...new Set([...default_tags, ...tags.map(simplify)])].filter((tag) => tag !== undefined),
    metadata: membersOf('metadata', found),
  };
}

/** The members of a field that are mapped one by one, as in `metadata.plan`. */
function membersOf(field: string, found: readonly [string, unknown][]): Record<string, unknown> {
  const prefix = `${field}.`;
  return Object.fromEntries(
    found.flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
  );
}

function evaluate(rule: Exclude<MappingRule, string[]>, payload: unknown): unknown {
  const { path, default: fallback } = typeof rule === 'string' ? { path: rule, default: undefined } : rule;
  return simplify(resolve(path, payload)) ?? fallback;
}

function simplify(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value === 'string') return value.trim() || undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Evaluates a JSON Pointer (RFC 6901). Undefined if it leads nowhere. */
function resolve(pointer: string, document: unknown): unknown {
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(member, document);
}

function member(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
  // An array has only indexes here, not other properties such as `length`.
  if (Array.isArray(node) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
  return (node as Record<string, unknown>)[name];
}
