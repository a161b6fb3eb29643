import { toFailure } from '../jobs/failure.ts';
import { mostFrequent } from '../jobs/failures.ts';
import type { JobErrorRow } from '../jobs/tables.ts';
import type { Schema } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { history } from '../resource/fields.ts';
import { covers, hasScope, insufficientScope, requireEach } from '../scopes.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { ImportedRow, ImportOptions, ImportRow } from './tables.ts';

export const noCounts: ImportRow['counts'] = { created: 0, updated: 0, unchanged: 0, failed: 0, warned: 0 };

export function toImport(row: ImportRow): Schema<'Import'> {
  const { options } = row;
  const { findings } = options;
  return {
    id: toId('import', row.id),
    status: row.status,
    resource: options.resource,
    format: options.format,
    match: options.match,
    on_duplicate: options.on_duplicate,
    dry_run: row.dry_run,
    create_users: options.create_users,
    columns: options.columns,
    mapping: options.mapping,
    defaults: options.defaults,
    values: options.values,
    locale: options.locale,
    default_country: options.default_country,
    charset: options.charset,
    sheet: options.sheet,
    unused_columns: findings.unused_columns,
    warnings: findings.warnings,
    doubts: findings.doubts,
    rows_total: row.rows_total,
    rows_done: row.rows_done,
    counts: row.counts,
    failures: mostFrequent(row.failures),
    started_at: row.started_at,
    finished_at: row.finished_at,
    failure: toFailure(row),
    ...history(row),
  };
}

export function toImportError(row: JobErrorRow): Schema<'ImportError'> {
  const { severity, column, field, code, message } = row;
  return { row: row.row, severity, column, field, code, message };
}

/** Whether the import is a completed dry run, which can start. */
export function wasTried({ status, dry_run }: ImportRow): boolean {
  return status === 'completed' && dry_run;
}

const prefixes = {
  leads: 'lead',
  contacts: 'contact',
  users: 'user',
  content: 'content',
  notes: 'note',
} as const;

export function toImportedRow(resource: ImportOptions['resource']) {
  return ({ row, outcome, resource_id }: ImportedRow): Schema<'ImportRow'> => ({
    row,
    outcome,
    id: toNullableId(prefixes[resource], resource_id),
  });
}

type Resource = Schema<'ImportResource'>;
type Access = 'read' | 'write';

/** Notes may be about leads and about contacts. */
function scopesFor(resource: Resource, access: Access): string[] {
  return resource === 'notes' ? [`leads:${access}`, `contacts:${access}`] : [`${resource}:${access}`];
}

/** Throws 403 without the scopes for what is imported. The contract names the alternatives. */
export function requireScopes(principal: Principal, resource: Resource, access: Access): void {
  requireEach(principal, scopesFor(resource, access));
}

/** Throws 403 unless the client may create users, if that is wanted. */
export function requireUsersScope(principal: Principal, createUsers: boolean): void {
  if (!createUsers || hasScope(principal, 'users:write') || hasScope(principal, 'admin')) return;
  throw insufficientScope(principal, 'To create users, you need the scope users:write', 'users:write');
}

/** The same for an import that exists. */
export function requireToRead({ options }: ImportRow, { principal }: { principal: Principal }): void {
  requireScopes(principal, options.resource, 'read');
}

/** Whether the client may read imports of the resource. */
export function mayRead(principal: Principal, resource: Resource): boolean {
  return scopesFor(resource, 'read').every((scope) => covers(principal.scopes, scope));
}
