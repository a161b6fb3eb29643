import { readBatch } from '../batches/read.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { leadRules } from './lead-rules.ts';
import { showLead } from './show-lead.ts';

export async function batchReadLeads(
  { body }: Input<'batchReadLeads'>,
  context: OperationContext,
): Promise<Result<'batchReadLeads'>> {
  return readBatch(leadRules, body, showLead, context);
}
