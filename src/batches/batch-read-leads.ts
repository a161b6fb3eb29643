import type { Input, OperationContext, Result } from '../http/operation.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { readBatch } from './read.ts';
import { showLead } from './show.ts';

export async function batchReadLeads(
  { body }: Input<'batchReadLeads'>,
  context: OperationContext,
): Promise<Result<'batchReadLeads'>> {
  return readBatch(leadRules, body, showLead, context);
}
