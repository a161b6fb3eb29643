import { apiKeys } from '../auth/queries.ts';
import { conditionsOf, equals } from '../db/list/filters.ts';
import { list } from '../http/lists/pagination.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrThrow } from '../resource/rows.ts';
import { toApiKey } from './api-key.ts';
import { apiKeyFilters, clients } from './queries.ts';

export async function listApiKeys(
  { path, query }: Input<'listApiKeys'>,
  context: OperationContext,
): Promise<Result<'listApiKeys'>> {
  const { id } = await findOrThrow(context.db, clients, path.id);
  return list(context, apiKeys, {
    query,
    conditions: [equals('client_id')(id), ...conditionsOf(apiKeyFilters, query)],
    toData: toApiKey,
  });
}
