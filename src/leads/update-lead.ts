import { recordUpdated } from '../events/record-change.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lock } from '../resource/rows.ts';
import { changeLead, patchedLead } from './change-lead.ts';
import { toLead } from './lead.ts';
import { leads } from './queries.ts';
import { lockReferencesOf } from './references.ts';

export async function updateLead(
  input: Input<'updateLead'>,
  context: OperationContext,
): Promise<Result<'updateLead'>> {
  const before = await lock(context.db, leads, input);
  const resolve = await lockReferencesOf(context.db, input.body, before);
  const lead = toLead(await changeLead(before, patchedLead(before, input.body, resolve), context));
  await recordUpdated(context, 'lead', toLead(before), lead);
  return ok(lead);
}
