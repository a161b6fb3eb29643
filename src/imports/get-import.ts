import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, toImport } from './import.ts';
import { imports } from './queries.ts';

export async function getImport(
  { path }: Input<'getImport'>,
  { db, principal }: OperationContext,
): Promise<Result<'getImport'>> {
  requireAnyScope(principal, 'read');
  const row = await findOrThrow(db, imports, path.id);
  requireScopes(principal, row.resource, 'read');
  return ok(toImport(row));
}
