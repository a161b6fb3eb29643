import { contactRules } from '../contacts/contact-rules.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { deleteBatch } from './delete.ts';

export async function batchDeleteContacts(
  { body }: Input<'batchDeleteContacts'>,
  context: OperationContext,
): Promise<Result<'batchDeleteContacts'>> {
  return deleteBatch(contactRules, body, context);
}
