import { toActor } from '../events/event.ts';
import type { Schema } from '../operation.ts';
import { toId } from '../values/id.ts';
import type { ErasureRow } from './tables.ts';

export function toErasure(row: ErasureRow): Schema<'Erasure'> {
  return {
    id: toId('erasure', row.id),
    created_at: row.created_at,
    actor: toActor(row),
    request_id: row.request_id,
    counts: row.counts,
    former: row.former,
    receivers: row.receivers,
  };
}
