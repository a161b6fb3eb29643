import { scopes as knownScopes } from '../../generated/operations.ts';

export { knownScopes };

/** `read` covers every `*:read` and `write` every `*:write`; `write` does not imply `read`. */
export function covers(granted: readonly string[], needed: string): boolean {
  return granted.includes(needed) || granted.includes(needed.slice(needed.indexOf(':') + 1));
}

/** The first of `needed` that isn't covered. Undefined if all are. */
export function missingScope(granted: readonly string[], needed: readonly string[]): string | undefined {
  return needed.find((scope) => !covers(granted, scope));
}

/** Splits a space-separated scope string (RFC 6749 section 3.3), dropping duplicates. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))];
}
