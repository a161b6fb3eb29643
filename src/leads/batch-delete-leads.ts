import { deleteBatch } from '../batches/delete.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { leadRules } from './lead-rules.ts';

export async function batchDeleteLeads(
  { body }: Input<'batchDeleteLeads'>,
  context: OperationContext,
): Promise<Result<'batchDeleteLeads'>> {
  return deleteBatch(leadRules, body, context);
}
