import type { ApiClientRow } from '../auth/tables.ts';
import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId, toNullableId } from '../values/id.ts';

export function toClient(row: ApiClientRow): Schema<'OAuthClient'> {
  return {
    id: toId('client', row.id),
    name: row.name,
    scopes: row.scopes,
    user_id: toNullableId('user', row.user_id),
    status: row.disabled_at === null ? 'enabled' : 'disabled',
    disabled_at: row.disabled_at,
    ...history(row),
  };
}

/** For the responses to creation and rotation, the only ones that show the secret. */
export function toClientWithSecret(row: ApiClientRow, secret: string): Schema<'OAuthClientWithSecret'> {
  return { ...toClient(row), client_secret: secret };
}
