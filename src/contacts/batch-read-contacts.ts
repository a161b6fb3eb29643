import { readBatch } from '../batches/read.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { contactRules } from './contact-rules.ts';
import { showContact } from './show-contact.ts';

export async function batchReadContacts(
  { body }: Input<'batchReadContacts'>,
  context: OperationContext,
): Promise<Result<'batchReadContacts'>> {
  return readBatch(contactRules, body, showContact, context);
}
