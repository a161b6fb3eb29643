import type { Schema } from '../../operation.ts';
import { toId, toNullableId } from '../../values/id.ts';
import { toValue } from '../value.ts';
import type { SalesCycleRow } from './tables.ts';

export function toSalesCycle(row: SalesCycleRow): Schema<'SalesCycle'> {
  return {
    id: toId('cycle', row.id),
    lead_id: toId('lead', row.lead_id),
    number: row.number,
    status: row.status,
    furthest_status: row.furthest_status,
    source: row.source,
    source_detail: row.source_detail,
    company: row.company,
    tags: row.tags,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    content_id: toNullableId('content', row.content_id),
    lost_reason: row.lost_reason,
    value: toValue(row),
    expected_close_on: row.expected_close_on,
    external_id: row.external_id,
    opened_at: row.opened_at,
    closed_at: row.closed_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}
