import { answerBatch } from '../batches/answer.ts';
import { checkItems } from '../batches/check-items.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { updateMany } from '../resource/many.ts';
import { hasScope } from '../scopes.ts';
import { contactRules } from './contact-rules.ts';
import { showContact } from './show-contact.ts';

export async function batchUpdateContacts(
  { body }: Input<'batchUpdateContacts'>,
  context: OperationContext,
): Promise<Result<'batchUpdateContacts'>> {
  const items = await checkItems('batchUpdateContacts', body.items, context);
  return answerBatch(await updateMany(contactRules, items, context), showContact, {
    ...body,
    mayRead: hasScope(context.principal, 'contacts:read'),
  });
}
