import type { ApiKeyRow } from '../auth/tables.ts';
import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId } from '../values/id.ts';

export function toApiKey(row: ApiKeyRow): Schema<'ApiKey'> {
  return {
    id: toId('key', row.id),
    client_id: toId('client', row.client_id),
    name: row.name,
    scopes: row.scopes,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    hint: row.hint,
    last_used_at: row.last_used_at,
    ...history(row),
  };
}

/** For the response to creation, the only one that shows the key. */
export function toApiKeyWithSecret(row: ApiKeyRow, apiKey: string): Schema<'ApiKeyWithSecret'> {
  return { ...toApiKey(row), api_key: apiKey };
}
