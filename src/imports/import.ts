import { schemas } from '../../generated/limits.ts';
import { type Failure, toFailure } from '../jobs/failure.ts';
import { mostFrequent } from '../jobs/failures.ts';
import type { Schema } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { history } from '../resource/fields.ts';
import { covers, hasScope, insufficientScope, requireEach } from '../scopes.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { ImportErrorRow, ImportedRow, ImportRow } from './tables.ts';

/** Why an import failed, for the client. */
export const hopeless: Failure = {
  code: 'internal_error',
  message:
    'The service failed five times to import the next rows. Send the other rows of the file again later.',
};
export const lostRows: Failure = {
  code: 'rows_lost',
  message: 'The other rows of this file are lost. Send the file again to import them.',
};

export function toImport(row: ImportRow): Schema<'Import'> {
  return {
    id: toId('import', row.id),
    status: row.status,
    resource: row.resource,
    format: row.format,
    match: row.match,
    on_duplicate: row.on_duplicate,
    dry_run: row.dry_run,
    create_users: row.create_users,
    columns: row.columns,
    mapping: row.mapping,
    defaults: row.defaults,
    values: row.values,
    locale: row.locale,
    default_country: row.default_country,
    charset: row.charset,
    sheet: row.sheet,
    unused_columns: row.findings.unused_columns,
    warnings: row.findings.warnings,
    doubts: row.findings.doubts,
    rows_total: row.rows_total,
    rows_done: row.rows_done,
    counts: {
      created: row.created,
      updated: row.updated,
      unchanged: row.unchanged,
      failed: row.failed,
      warned: row.warned,
    },
    failures: mostFrequent(row.failures),
    started_at: row.started_at,
    finished_at: row.finished_at,
    failure: toFailure(row),
    ...history(row),
  };
}

export function toImportError(row: ImportErrorRow): Schema<'ImportError'> {
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

export function toImportedRow(resource: ImportRow['resource']) {
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

/** Throws 403 without the scopes, which depend on what is imported: the contract can't express that. */
export function requireScopes(principal: Principal, resource: Resource, access: Access): void {
  requireEach(principal, scopesFor(resource, access));
}

/** Throws 403 unless the client may create users, if that is wanted. */
export function requireUsersScope(principal: Principal, createUsers: boolean): void {
  if (!createUsers || hasScope(principal, 'users:write') || hasScope(principal, 'admin')) return;
  throw insufficientScope(principal, 'To create users, you need the scope users:write', 'users:write');
}

/** Whether the client may read imports of the resource. */
export function mayRead(principal: Principal, resource: Resource): boolean {
  return scopesFor(resource, 'read').every((scope) => covers(principal.scopes, scope));
}

/** Throws 403 before the needed scope is known, so that nobody without any of them learns what exists. */
export function requireAnyScope(principal: Principal, access: Access): void {
  const anyOf = schemas.ImportResource.enum.flatMap((resource) => scopesFor(resource, access));
  if (anyOf.some((scope) => covers(principal.scopes, scope))) return;
  const distinct = [...new Set(anyOf)];
  throw insufficientScope(principal, `This needs the scope ${distinct.join(' or ')}`, distinct[0] as string);
}
