import { created, noStore } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { endOf } from '../values/instant-or-date.ts';
import { MAX_TIME } from '../values/time.ts';
import { toApiKeyWithSecret } from './api-key.ts';
import { addApiKey } from './change-api-key.ts';
import { clients } from './queries.ts';

export async function createApiKey(
  { path, body }: Input<'createApiKey'>,
  context: OperationContext,
): Promise<Result<'createApiKey'>> {
  const client = await lockOrThrow(context.db, clients, { path, headers: {} }, 'share');
  const { row, apiKey } = await addApiKey(context, client, {
    name: body.name,
    scopes: body.scopes,
    expiresAt: body.expires_at ? new Date(Math.min(endOf(body.expires_at), MAX_TIME)) : null,
  });
  return noStore(created(`${context.baseUrl}/clients/${path.id}/keys`, toApiKeyWithSecret(row, apiKey)));
}
