import { equals } from '../db/list/filters.ts';
import { exportRows } from '../http/lists/export.ts';
import { list } from '../http/lists/pagination.ts';
import { noStore } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, toImportError } from './import.ts';
import { imports } from './queries.ts';
import { importErrors } from './result-queries.ts';

type Context = Pick<OperationContext, 'db' | 'url' | 'principal' | 'mediaType' | 'readSnapshot'>;

export async function listImportErrors(
  { path, query }: Pick<Input<'listImportErrors'>, 'path' | 'query'>,
  context: Context,
): Promise<Result<'listImportErrors'>> {
  const { db, principal } = context;
  requireAnyScope(principal, 'read');
  const { id, resource } = await findOrThrow(db, imports, path.id);
  requireScopes(principal, resource, 'read');
  const severity = query.severity === undefined ? [] : [equals('severity')(query.severity)];
  const conditions = [equals('import_id')(id), ...severity];
  const errors = { query, conditions, toData: toImportError };
  return context.mediaType === 'application/json'
    ? noStore(await list(context, importErrors, errors))
    : exportRows(context, importErrors, errors);
}
