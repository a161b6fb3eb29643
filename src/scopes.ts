import { scopes as knownScopes } from '../generated/operations.ts';
import type { Principal } from './principal.ts';
import { Problem } from './problem.ts';

export { knownScopes };

/** `read` covers every `*:read`, `write` every `*:write` and `act`; `write` does not imply `read`. */
export function covers(granted: readonly string[], needed: string): boolean {
  if (needed === 'act' && granted.includes('write')) return true;
  return granted.includes(needed) || granted.includes(needed.slice(needed.indexOf(':') + 1));
}

/** Records the scope: a stored response is replayed only to credentials that have it too. */
export function hasScope({ scopes, usedScopes }: Principal, scope: string): boolean {
  const isGranted = covers(scopes, scope);
  if (isGranted) usedScopes?.add(scope);
  return isGranted;
}

/** A 403. `needs` says what needs which scope. */
export function insufficientScope(
  { scopes }: Pick<Principal, 'scopes'>,
  needs: string,
  scope: string,
): Problem {
  const message = `${needs}. Your token or API key has ${scopes.join(' ') || 'none'}.`;
  return new Problem('insufficient_scope', message, { details: { required_scope: scope } });
}

/**
 * Throws 403 unless the principal has all scopes of one of these alternatives of an operation. The error names the first scope
 * that is missing from the alternative that lacks the fewest.
 */
export function requireAny({ scopes }: Principal, alternatives: readonly (readonly string[])[]): void {
  const missing = alternatives.map((needed) => needed.filter((scope) => !covers(scopes, scope)));
  const [nearest = []] = missing.toSorted((one, other) => one.length - other.length);
  const [first] = nearest;
  if (first === undefined) return;
  const needed = alternatives.length === 1 ? [first] : alternatives.map((all) => all.join(' and '));
  throw insufficientScope({ scopes }, `This operation needs the scope ${needed.join(', or ')}`, first);
}

/** Throws 403 without one of these scopes, for those that depend on more than the operation. */
export function requireEach(principal: Principal, needed: readonly string[]): void {
  const missing = needed.find((scope) => !hasScope(principal, scope));
  if (missing !== undefined) throw insufficientScope(principal, `This needs the scope ${missing}`, missing);
}

/** What both lists grant. */
export function commonScopes(one: readonly string[], other: readonly string[]): string[] {
  const common = one.filter((scope) => covers(other, scope));
  return [...common, ...other.filter((scope) => covers(one, scope) && !covers(common, scope))];
}

/** Splits a space-separated scope string (RFC 6749 section 3.3), dropping duplicates. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))];
}
