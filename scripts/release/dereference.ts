/**
 * Replaces each reference by its target. All references to a target share one object. A reference that leads to itself
 * stays.
 */
export function dereference<T extends object>(document: T): T {
  const shared = new Map<string, unknown>();
  const expand = (node: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((member) => expand(member, within));
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...own } = node as Record<string, unknown>;
    if (typeof $ref !== 'string') return expandMembers(own, within);
    if (within.includes($ref)) return node;
    const target = shared.get($ref) ?? expand(find(document, $ref), [...within, $ref]);
    shared.set($ref, target);
    return Object.keys(own).length === 0 ? target : { ...(target as object), ...expandMembers(own, within) };
  };
  const expandMembers = (node: object, within: readonly string[]) =>
    Object.fromEntries(Object.entries(node).map(([name, member]) => [name, expand(member, within)]));
  return expandMembers(document, []) as T;
}

function find(document: object, ref: string): unknown {
  const names = ref.slice('#/'.length).split('/');
  const target = names.reduce<unknown>(
    (parent, name) => (parent as Record<string, unknown> | undefined)?.[name],
    document,
  );
  if (target === undefined) throw new Error(`${ref} does not exist.`);
  return target;
}
