import { conditionsOf } from '../db/list/filters.ts';
import { list } from '../http/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { toClient } from './client.ts';
import { clientFilters, clients } from './queries.ts';

export async function listClients(
  { query }: Input<'listClients'>,
  context: OperationContext,
): Promise<Result<'listClients'>> {
  return list(context, clients, { query, conditions: conditionsOf(clientFilters, query), toData: toClient });
}
