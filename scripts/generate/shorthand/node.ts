/** An object of a YAML file. An anchor may put the same object at several places, so it must not be changed. */
export type Node = Record<string, unknown>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy with other values. What isn't an object stays as it is, and is reported when the document is checked. */
export function mapValues(value: unknown, change: (value: unknown, key: string) => unknown): unknown {
  if (!isNode(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]));
}

/** A copy in which other entries stand at the place of the key. Without the key, the object itself. */
export function replaceKey(node: Node, key: string, expand: (value: unknown) => Node): Node {
  if (!(key in node)) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) =>
      name === key ? Object.entries(expand(value)) : [[name, value]],
    ),
  );
}

/** A copy without the keys that have no value. */
export function defined(node: Node): Node {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined));
}
