import { toId, toNullableId } from '../db/id.ts';
import type { LeadRow, LeadStatus } from '../db/tables.ts';
import type { Schema } from '../http/operation.ts';
import { invalidField } from '../http/problem.ts';

export function toLead(row: LeadRow): Schema<'Lead'> {
  return {
    id: toId('lead', row.id),
    name: row.name,
    email: row.email,
    phone: row.phone,
    status: row.status,
    source: row.source,
    company: row.company,
    tags: row.tags,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    content_id: toNullableId('content', row.content_id),
    contact_id: toNullableId('contact', row.contact_id),
    external_id: row.external_id,
    lost_reason: row.lost_reason,
    metadata: row.metadata,
    status_changed_at: row.status_changed_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    version: row.version,
  };
}

/** A reason belongs to a lost lead only. */
export function checkLostReason(status: LeadStatus, lostReason: string | null | undefined): void {
  if (lostReason !== null && lostReason !== undefined && status !== 'lost') {
    throw invalidField('lost_reason', `can only be set with status lost, not with ${status}`);
  }
}
