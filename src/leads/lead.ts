import { toId, toNullableId } from '../db/id.ts';
import type { LeadRow } from '../db/tables.ts';
import { history, person } from '../http/fields.ts';
import type { Schema } from '../http/operation.ts';

export function toLead(row: LeadRow): Schema<'Lead'> {
  return {
    id: toId('lead', row.id),
    ...person(row),
    status: row.status,
    source: row.source,
    content_id: toNullableId('content', row.content_id),
    contact_id: toNullableId('contact', row.contact_id),
    lost_reason: row.lost_reason,
    status_changed_at: row.status_changed_at.toISOString(),
    ...history(row),
  };
}
