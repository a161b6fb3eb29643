import type { ApiClientRow } from '../auth/tables.ts';
import { toJobId } from '../jobs/job-id.ts';
import type { Schema } from '../operation.ts';
import type { ClientLimits } from '../principal.ts';
import { history } from '../resource/fields.ts';
import { type IdPrefix, toId, toNullableId } from '../values/id.ts';
import type { findBelongings } from './queries.ts';

export function toClient(row: ApiClientRow): Schema<'OAuthClient'> {
  return {
    id: toId('client', row.id),
    name: row.name,
    scopes: row.scopes,
    user_id: toNullableId('user', row.user_id),
    limits: toLimits(row.limits),
    status: row.disabled_at === null ? 'enabled' : 'disabled',
    disabled_at: row.disabled_at,
    ...history(row),
  };
}

/** Null where the operator's limits count. */
function toLimits({ read, write, batch, search, analytics }: ClientLimits): Schema<'ClientLimits'> {
  return {
    read: read ?? null,
    write: write ?? null,
    batch: batch ?? null,
    search: search ?? null,
    analytics: analytics ?? null,
  };
}

/** What becomes of what a disabled client has. */
export function describeEffects(found: Awaited<ReturnType<typeof findBelongings>>) {
  const ids = (prefix: IdPrefix, uuids: readonly string[]) => uuids.map((uuid) => toId(prefix, uuid));
  return {
    ending_jobs: found.ending_jobs.map(({ kind, id }) => toJobId(kind, id)),
    paused_webhooks: ids('webhook', found.paused_webhooks),
    enabled_inbound_hooks: ids('hook', found.enabled_hooks),
  };
}

/** For the responses to creation and rotation, the only ones that show the secret. */
export function toClientWithSecret(row: ApiClientRow, secret: string): Schema<'OAuthClientWithSecret'> {
  return { ...toClient(row), client_secret: secret };
}
