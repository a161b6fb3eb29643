import type { Principal } from '../../principal.ts';
import { hasScope, insufficientScope } from '../../scopes.ts';
import { requireScopes, requireUsersScope } from '../import.ts';
import type { ImportOptions } from '../tables.ts';
import { changesPast } from './fields.ts';

type Options = Pick<ImportOptions, 'resource' | 'mapping' | 'defaults'>;

/** Ignores the columns with times of the past, unless the client may import them. Returns these columns, too. */
export function withoutPastTimes(
  principal: Principal,
  { resource, mapping }: Pick<Options, 'resource' | 'mapping'>,
): { mapping: Options['mapping']; ignored: string[] } {
  const past = Object.keys(mapping).filter((column) => changesPast(resource, mapping[column] ?? ''));
  const ignored = past.length === 0 || hasScope(principal, 'admin') ? [] : past;
  const ignoring = Object.fromEntries(ignored.map((column) => [column, null]));
  return { mapping: { ...mapping, ...ignoring }, ignored };
}

/** Throws 403 without all scopes that an import needs while it runs. */
export function requireScopesOf(
  principal: Principal,
  run: Options & Pick<ImportOptions, 'create_users'>,
): void {
  requireScopes(principal, run.resource, 'write');
  requirePastScope(principal, run);
  requireUsersScope(principal, run.create_users);
}

/** Throws 403 if the import fills times of the past and the client may not. */
function requirePastScope(principal: Principal, { resource, mapping, defaults }: Options): void {
  const fields = [...Object.values(mapping), ...Object.keys(defaults)];
  const field = fields.find((each) => changesPast(resource, each ?? ''));
  if (field === undefined || hasScope(principal, 'admin')) return;
  throw insufficientScope(principal, `To import ${field}, you need the scope admin`, 'admin');
}
