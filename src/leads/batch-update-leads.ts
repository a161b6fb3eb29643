import { answerBatch } from '../batches/answer.ts';
import { checkItems } from '../batches/check-items.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { updateMany } from '../resource/many.ts';
import { hasScope } from '../scopes.ts';
import { leadRules } from './lead-rules.ts';
import { showLead } from './show-lead.ts';

export async function batchUpdateLeads(
  { body }: Input<'batchUpdateLeads'>,
  context: OperationContext,
): Promise<Result<'batchUpdateLeads'>> {
  const items = await checkItems('batchUpdateLeads', body.items, context);
  return answerBatch(await updateMany(leadRules, items, context), showLead, {
    ...body,
    mayRead: hasScope(context.principal, 'leads:read'),
  });
}
