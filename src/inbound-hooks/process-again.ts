import type { OperationContext } from '../operation.ts';
import { updateOrThrow } from '../resource/rows.ts';
import { processPayload } from './mapping/process-payload.ts';
import { deliveries } from './queries.ts';
import type { Read } from './receiving/body/read-body.ts';
import type { InboundDeliveryRow, InboundHookRow } from './tables.ts';

/** Processes a locked delivery with the hook's current settings. The delivery takes the outcome. */
export async function processAgain(
  hook: InboundHookRow,
  before: InboundDeliveryRow,
  read: Read,
  context: OperationContext,
): Promise<InboundDeliveryRow> {
  const { lead: _lead, note: _note, ...outcome } = await processPayload(hook, read, context, before);
  return updateOrThrow(context, deliveries, before, outcome);
}
