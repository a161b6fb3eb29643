import type { Schema } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { history } from '../resource/fields.ts';
import { covers, hasScope, insufficientScope } from '../scopes.ts';
import { toId } from '../values/id.ts';
import type { ImportErrorRow, ImportRow } from './tables.ts';

/** Why an import failed, for the client. */
export const failureReasons = {
  hopeless:
    'The service failed five times to import the next rows. Send the other rows of the file again later.',
  lostRows: 'The other rows of this file are lost. Send the file again to import them.',
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
    columns: row.columns,
    mapping: row.mapping,
    defaults: row.defaults,
    rows_total: row.rows_total,
    rows_done: row.rows_done,
    counts: {
      created: row.created,
      updated: row.updated,
      unchanged: row.unchanged,
      failed: row.failed,
    },
    started_at: row.started_at,
    finished_at: row.finished_at,
    failure_reason: row.status === 'failed' ? (row.failure_reason ?? failureReasons.hopeless) : null,
    ...history(row),
  };
}

export function toImportError(row: ImportErrorRow): Schema<'ImportError'> {
  return { row: row.row, column: row.column, field: row.field, code: row.code, message: row.message };
}

/** Throws 403 without the scope, which depends on what is imported: the contract can't express that. */
export function requireScope(principal: Principal, scope: string): void {
  if (!hasScope(principal, scope)) throw insufficientScope(principal, `This needs the scope ${scope}`, scope);
}

/** The same before the needed scope is known, so that nobody without any of them learns what exists. */
export function requireAnyScope(principal: Principal, ...anyOf: readonly [string, ...string[]]): void {
  if (anyOf.some((scope) => covers(principal.scopes, scope))) return;
  throw insufficientScope(principal, `This needs the scope ${anyOf.join(' or ')}`, anyOf[0]);
}
