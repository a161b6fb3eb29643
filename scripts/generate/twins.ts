type Node = Record<string, unknown>;

/** The parts of the bundled document that twins change. */
export interface TwinDocument {
  paths?: Record<string, Node>;
  components?: Record<string, Record<string, unknown>>;
}

/**
 * If an operation on contacts differs from the one on leads only by the noun, only the latter is described. The contacts path
 * says `x-twin-of: /leads/…`, and has only the differences. A component is copied unless the document has one with the
 * contacts' name.
 */
export function addTwins({ paths = {}, components = {} }: TwinDocument): void {
  for (const [path, { 'x-twin-of': original, ...differences }] of Object.entries(paths)) {
    if (original === undefined) continue;
    const described = paths[String(original)];
    if (!described) throw new Error(`${path} is the twin of ${original}, which is not described`);
    addComponents(components, described);
    paths[path] = merge(forContacts(described), differences) as Node;
  }
}

/** Adds the components with the contacts' names to which the twin will refer. */
function addComponents(components: Record<string, Record<string, unknown>>, described: unknown): void {
  for (const [, kind = '', name = ''] of JSON.stringify(described).matchAll(
    /"#\/components\/(\w+)\/(\w+)"/g,
  )) {
    const named = components[kind] ?? {};
    const twin = forContacts(name);
    if (twin in named) continue;
    named[twin] = forContacts(named[name]);
    addComponents(components, named[name]);
  }
}

function forContacts<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll('lead', 'contact').replaceAll('Lead', 'Contact'));
}

function merge(value: unknown, differences: unknown): unknown {
  if (!isObject(value) || !isObject(differences)) return differences;
  const changed = Object.entries(differences).map(([key, difference]) => [
    key,
    key === 'example' ? difference : merge(value[key], difference),
  ]);
  return { ...value, ...Object.fromEntries(changed) };
}

function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
