import { deleteBatch } from '../batches/delete.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { contactRules } from './contact-rules.ts';

export async function batchDeleteContacts(
  { body }: Input<'batchDeleteContacts'>,
  context: OperationContext,
): Promise<Result<'batchDeleteContacts'>> {
  return deleteBatch(contactRules, body, context);
}
