import { contactRules } from '../contacts/contact-rules.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { readBatch } from './read.ts';
import { showContact } from './show.ts';

export async function batchReadContacts(
  { body }: Input<'batchReadContacts'>,
  context: OperationContext,
): Promise<Result<'batchReadContacts'>> {
  return readBatch(contactRules, body, showContact, context);
}
