import { answerBatch } from '../batches/answer.ts';
import { checkItems } from '../batches/check-items.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { createMany } from '../resource/many.ts';
import { contactRules } from './contact-rules.ts';
import { showContact } from './show-contact.ts';

export async function batchCreateContacts(
  { body }: Input<'batchCreateContacts'>,
  context: OperationContext,
): Promise<Result<'batchCreateContacts'>> {
  const items = await checkItems('batchCreateContacts', body.items, context);
  return answerBatch(await createMany(contactRules, items, context), showContact, body);
}
