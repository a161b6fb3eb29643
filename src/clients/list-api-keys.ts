import { conditionsOf, equals } from '../db/list/filters.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { list } from '../http/pagination.ts';
import { find } from '../resource/rows.ts';
import { toApiKey } from './api-key.ts';
import { apiKeyFilters, apiKeys, clients } from './queries.ts';

export async function listApiKeys(
  { path, query }: Input<'listApiKeys'>,
  { db, baseUrl }: OperationContext,
): Promise<Result<'listApiKeys'>> {
  const { id } = await find(db, clients, path.id);
  return list(db, apiKeys, {
    url: `${baseUrl}/clients/${path.id}/keys`,
    query,
    conditions: [equals('client_id')(id), ...conditionsOf(apiKeyFilters, query)],
    toData: toApiKey,
  });
}
