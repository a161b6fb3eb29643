import type { DeliveryOutcome } from '../queries.ts';
import type { InboundHookRow } from '../tables.ts';
import type { Read } from './body/read-body.ts';

type Trap = Pick<InboundHookRow, 'honeypot'>;

/** Whether the field that people don't see is filled in. */
export function isOfBot({ honeypot }: Trap, { payload }: Pick<Read, 'payload'>): boolean {
  if (honeypot === null || !Object.hasOwn(payload, honeypot)) return false;
  const value = payload[honeypot];
  return value !== null && value !== undefined && String(value).trim() !== '';
}

/** The delivery is kept, since a browser may have filled in the field for a person. Reprocessing ignores the field. */
export function skippedAsBot({ honeypot }: Trap): DeliveryOutcome {
  const message = 'This field is filled in, so a bot has probably sent the form. No lead was made.';
  return {
    status: 'skipped',
    lead_id: null,
    note_id: null,
    errors: null,
    warnings: [{ field: honeypot ?? '', message }],
  };
}
