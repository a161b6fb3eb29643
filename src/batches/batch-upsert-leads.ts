import type { Input, OperationContext, Result } from '../http/operation.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { upsertMany } from '../resource/many.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';
import { showLead } from './show.ts';

export async function batchUpsertLeads(
  { body }: Input<'batchUpsertLeads'>,
  context: OperationContext,
): Promise<Result<'batchUpsertLeads'>> {
  const items = await checkItems('batchUpsertLeads', body.items, context);
  return answerBatch(
    await upsertMany(leadRules, items, { match: body.match, onDuplicate: 'update' }, context),
    showLead,
    body,
  );
}
