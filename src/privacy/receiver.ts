import type { Schema } from '../operation.ts';
import { toId } from '../values/id.ts';

export function toReceiver(row: { webhook_id: string; deliveries: string }): Schema<'Receiver'> {
  return { webhook_id: toId('webhook', row.webhook_id), deliveries: Number(row.deliveries) };
}
