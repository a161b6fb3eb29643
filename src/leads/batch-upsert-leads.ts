import { answerBatch } from '../batches/answer.ts';
import { checkItems } from '../batches/check-items.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { upsertMany } from '../resource/many.ts';
import { hasScope } from '../scopes.ts';
import { leadRules } from './lead-rules.ts';
import { showLead } from './show-lead.ts';

export async function batchUpsertLeads(
  { body }: Input<'batchUpsertLeads'>,
  context: OperationContext,
): Promise<Result<'batchUpsertLeads'>> {
  const items = await checkItems('batchUpsertLeads', body.items, context);
  return answerBatch(
    await upsertMany(leadRules, items, { match: body.match, onDuplicate: 'update' }, context),
    showLead,
    { ...body, mayRead: hasScope(context.principal, 'leads:read') },
  );
}
