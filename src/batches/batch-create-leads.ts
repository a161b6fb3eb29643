import type { Input, OperationContext, Result } from '../http/operation.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { createMany } from '../resource/many.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';
import { showLead } from './show.ts';

export async function batchCreateLeads(
  { body }: Input<'batchCreateLeads'>,
  context: OperationContext,
): Promise<Result<'batchCreateLeads'>> {
  const items = await checkItems('batchCreateLeads', body.items, context);
  return answerBatch(await createMany(leadRules, items, context), showLead, body);
}
