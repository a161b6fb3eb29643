import type { Schema } from '../operation.ts';
import { notFound } from '../problem.ts';
import { history } from '../resource/fields.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { InboundDeliveryRow } from './tables.ts';

export function toInboundDelivery(row: InboundDeliveryRow): Schema<'InboundDelivery'> {
  return {
    id: toId('inbound', row.id),
    hook_id: toId('hook', row.hook_id),
    status: row.status,
    lead_id: toNullableId('lead', row.lead_id),
    errors: row.errors,
    warnings: row.warnings ?? [],
    ...history(row),
  };
}

/** Throws 404 unless the delivery belongs to the hook with this public id. */
export function checkHook({ id, hook_id }: InboundDeliveryRow, hookId: string): void {
  if (toId('hook', hook_id) !== hookId) throw notFound(`The delivery ${toId('inbound', id)}`);
}
