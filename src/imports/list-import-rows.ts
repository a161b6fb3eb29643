import * as filters from '../db/list/filters.ts';
import { exportRows } from '../http/lists/export.ts';
import { list } from '../http/lists/pagination.ts';
import { noStore } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, toImportedRow } from './import.ts';
import { imports } from './queries.ts';
import { importedRows } from './result-queries.ts';

export async function listImportRows(
  { path, query }: Input<'listImportRows'>,
  context: OperationContext,
): Promise<Result<'listImportRows'>> {
  const { db, principal } = context;
  requireAnyScope(principal, 'read');
  const { id, resource } = await findOrThrow(db, imports, path.id);
  requireScopes(principal, resource, 'read');
  const outcome = query.outcome === undefined ? [] : [filters.equals('outcome')(query.outcome)];
  const conditions = [filters.equals('id')(id), ...outcome];
  const rows = { query, conditions, toData: toImportedRow(resource) };
  return context.mediaType === 'application/json'
    ? noStore(await list(context, importedRows, rows))
    : exportRows(context, importedRows, rows);
}
