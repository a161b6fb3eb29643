import type { Input, OperationContext, Result } from '../http/operation.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { deleteBatch } from './delete.ts';

export async function batchDeleteLeads(
  { body }: Input<'batchDeleteLeads'>,
  context: OperationContext,
): Promise<Result<'batchDeleteLeads'>> {
  return deleteBatch(leadRules, body, context);
}
