export type Members = Record<string, unknown>;

/** Their values are data, which may look like schemas. */
const dataKeywords = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** A copy in which every object, from the innermost outwards, was replaced by what `change` returns for it. */
export function mapSchemas(node: unknown, change: (schema: Members) => Members): unknown {
  if (Array.isArray(node)) return node.map((item) => mapSchemas(item, change));
  if (!isMembers(node)) return node;
  const members = Object.entries(node).map(([name, value]): [string, unknown] => {
    if (dataKeywords.has(name)) return [name, value];
    // The API names the members, so none of them is a keyword.
    if (name === 'properties') return [name, mapValues(value as Members, (own) => mapSchemas(own, change))];
    return [name, mapSchemas(value, change)];
  });
  return change(Object.fromEntries(members));
}

export function isMembers(node: unknown): node is Members {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

export function mapValues(members: Members, change: (value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
}
