import type { InboundHookRow, MappingRule } from '../db/inbound-tables.ts';

/**
 * What the mapping makes of the payload, not yet checked. A text is trimmed, a number or boolean becomes a text, and what
 * is empty counts as absent; anything else is left for the check to refuse.
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
  return {
    source: lead_source,
    ...Object.fromEntries(found.filter(([field]) => !field.startsWith(METADATA))),
    tags: [...new Set([...default_tags, ...tags.map(simplify)])].filter((tag) => tag !== undefined),
    metadata: Object.fromEntries(
      found
        .filter(([field]) => field.startsWith(METADATA))
        .map(([field, value]) => [field.slice(METADATA.length), value]),
    ),
  };
}

const METADATA = 'metadata.';

function evaluate(rule: Exclude<MappingRule, string[]>, payload: unknown): unknown {
  const { path, default: fallback } = typeof rule === 'string' ? { path: rule, default: undefined } : rule;
  return simplify(resolve(path, payload)) ?? fallback;
}

function simplify(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value === 'string') return value.trim() || undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** What the JSON Pointer finds in the document (RFC 6901), undefined for nothing. */
function resolve(pointer: string, document: unknown): unknown {
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(member, document);
}

function member(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
  // An array has members of other names too, such as its length.
  if (Array.isArray(node) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
  return (node as Record<string, unknown>)[name];
}
