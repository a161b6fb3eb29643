import { contactRules } from '../contacts/contact-rules.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { createMany } from '../resource/many.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';
import { showContact } from './show.ts';

export async function batchCreateContacts(
  { body }: Input<'batchCreateContacts'>,
  context: OperationContext,
): Promise<Result<'batchCreateContacts'>> {
  const items = await checkItems('batchCreateContacts', body.items, context);
  return answerBatch(await createMany(contactRules, items, context), showContact, body);
}
