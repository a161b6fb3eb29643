import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { InboundHookRow } from './tables.ts';

export function toInboundHook(row: InboundHookRow): Schema<'InboundHook'> {
  const { type, header, encoding, prefix } = row.verification;
  return {
    id: toId('hook', row.id),
    name: row.name,
    status: row.status,
    lead_source: row.lead_source,
    default_tags: row.default_tags,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    content_id: toNullableId('content', row.content_id),
    mapping: row.mapping,
    verification: { type, header, encoding, prefix },
    on_duplicate: row.on_duplicate,
    default_country: row.default_country,
    locale: row.locale,
    values: row.values,
    accept_if: row.accept_if,
    ...history(row),
  };
}

/** The hook with its URL, which only the responses to creation and rotation show. */
export function withUrl(row: InboundHookRow, baseUrl: string, token: string): Schema<'InboundHookWithUrl'> {
  return { ...toInboundHook(row), url: `${baseUrl}/hooks/${token}` };
}
