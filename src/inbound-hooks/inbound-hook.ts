import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { InboundHookRow } from './tables.ts';

export function toInboundHook(row: InboundHookRow): Schema<'InboundHook'> {
  return {
    id: toId('hook', row.id),
    client_id: toNullableId('client', row.client_id),
    name: row.name,
    status: row.status,
    lead_source: row.lead_source,
    default_tags: row.default_tags,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    content_id: toNullableId('content', row.content_id),
    mapping: row.mapping,
    verification: toVerification(row.verification),
    on_duplicate: row.on_duplicate,
    on_return: row.on_return,
    first_contact_seconds: row.first_contact_seconds,
    redirect_url: row.redirect_url,
    honeypot: row.honeypot,
    allowed_origins: row.allowed_origins,
    default_country: row.default_country,
    locale: row.locale,
    values: row.values,
    accept_if: row.accept_if,
    ...history(row),
  };
}

function toVerification(stored: InboundHookRow['verification']): Schema<'Verification'> {
  const { type, header, encoding, prefix, signed, timestamp_header, tolerance, path } = stored;
  return { type, header, encoding, prefix, signed, timestamp_header, tolerance, path };
}

/** The hook with its URL, which only the responses to creation and rotation show. */
export function withUrl(row: InboundHookRow, baseUrl: string, token: string): Schema<'InboundHookWithUrl'> {
  return { ...toInboundHook(row), url: `${baseUrl}/hooks/${token}` };
}
