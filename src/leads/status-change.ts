import { toActor } from '../events/event.ts';
import type { Schema } from '../operation.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { ListedStatusChange } from './tables.ts';

export function toStatusChange(row: ListedStatusChange): Schema<'StatusChange'> {
  return {
    id: toId('change', row.id),
    from: row.from_status,
    to: row.to_status,
    occurred_at: row.changed_at,
    seconds_in_previous_status: row.seconds,
    actor: toActor(row),
    request_id: row.request_id,
    sales_cycle_id: toId('cycle', row.sales_cycle_id),
    merged_from: toNullableId('lead', row.merged_from),
  };
}
