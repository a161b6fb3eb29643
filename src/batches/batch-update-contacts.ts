import { contactRules } from '../contacts/contact-rules.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { updateMany } from '../resource/many.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';
import { showContact } from './show.ts';

export async function batchUpdateContacts(
  { body }: Input<'batchUpdateContacts'>,
  context: OperationContext,
): Promise<Result<'batchUpdateContacts'>> {
  const items = await checkItems('batchUpdateContacts', body.items, context);
  return answerBatch(await updateMany(contactRules, items, context), showContact, body);
}
