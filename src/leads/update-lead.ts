import { recordUpdated } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { ok } from '../http/responses.ts';
import { distinct, patchMetadata } from '../resource/fields.ts';
import { lock } from '../resource/rows.ts';
import { changeLead } from './change-lead.ts';
import { checkLostReason, toLead } from './lead.ts';
import { leads } from './queries.ts';
import { resolveReferences } from './references.ts';

export async function updateLead(
  input: Input<'updateLead'>,
  context: OperationContext,
): Promise<Result<'updateLead'>> {
  const { tags, metadata, ...fields } = input.body;
  const before = await lock(context.db, leads, input);
  checkLostReason(fields.status ?? before.status, fields.lost_reason);
  const changes = {
    ...fields,
    ...(await resolveReferences(context.db, fields, before)),
    tags: distinct(tags),
    metadata: patchMetadata(before.metadata, metadata),
  };
  const lead = toLead(await changeLead(before, changes, context));
  await recordUpdated(context, 'lead', toLead(before), lead);
  return ok(lead);
}
