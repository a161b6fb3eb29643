import type { Input, OperationContext, Result } from '../http/operation.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { updateMany } from '../resource/many.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';
import { showLead } from './show.ts';

export async function batchUpdateLeads(
  { body }: Input<'batchUpdateLeads'>,
  context: OperationContext,
): Promise<Result<'batchUpdateLeads'>> {
  const items = await checkItems('batchUpdateLeads', body.items, context);
  return answerBatch(await updateMany(leadRules, items, context), showLead, body);
}
