import { schemas } from '../../generated/limits.ts';
import { anyOf, conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { mayRead, requireAnyScope, toImport } from './import.ts';
import { importFilters, listedImports } from './queries.ts';

export async function listImports(
  { query }: Input<'listImports'>,
  context: OperationContext,
): Promise<Result<'listImports'>> {
  requireAnyScope(context.principal, 'read');
  const readable = schemas.ImportResource.enum.filter((resource) => mayRead(context.principal, resource));
  return list(context, listedImports, {
    query,
    conditions: [anyOf('resource')(readable), ...conditionsOf(importFilters, query)],
    toData: toImport,
  });
}
