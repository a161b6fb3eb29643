import { isObject } from './exact-json.ts';

/** The names on the way to what a JSON Pointer (RFC 6901) refers to. */
export function parsePointer(pointer: string): string[] {
  const tokens = pointer.slice(1).split('/');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Evaluates a JSON Pointer. Undefined if it leads nowhere. */
export function resolvePointer(pointer: string, document: unknown): unknown {
  return valueAt(parsePointer(pointer), document);
}

/** The value at a location: the names and indexes on the way to it. Undefined if there is none. */
export function valueAt(location: readonly (string | number)[], document: unknown): unknown {
  return location.reduce(member, document);
}

function member(node: unknown, name: string | number): unknown {
  if (!isObject(node) || !Object.hasOwn(node, name)) return undefined;
  // An array has only indexes here, not other properties such as `length`.
  if (Array.isArray(node) && !/^(0|[1-9]\d*)$/.test(String(name))) return undefined;
  return (node as Record<string, unknown>)[name];
}
