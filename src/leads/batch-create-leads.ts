import { answerBatch } from '../batches/answer.ts';
import { checkItems } from '../batches/check-items.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { createMany } from '../resource/many.ts';
import { leadRules } from './lead-rules.ts';
import { showLead } from './show-lead.ts';

export async function batchCreateLeads(
  { body }: Input<'batchCreateLeads'>,
  context: OperationContext,
): Promise<Result<'batchCreateLeads'>> {
  const items = await checkItems('batchCreateLeads', body.items, context);
  return answerBatch(await createMany(leadRules, items, context), showLead, body);
}
