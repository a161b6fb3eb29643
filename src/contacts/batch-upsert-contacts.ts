import { answerBatch } from '../batches/answer.ts';
import { checkItems } from '../batches/check-items.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { upsertMany } from '../resource/many.ts';
import { hasScope } from '../scopes.ts';
import { contactRules } from './contact-rules.ts';
import { showContact } from './show-contact.ts';

export async function batchUpsertContacts(
  { body }: Input<'batchUpsertContacts'>,
  context: OperationContext,
): Promise<Result<'batchUpsertContacts'>> {
  const items = await checkItems('batchUpsertContacts', body.items, context);
  return answerBatch(
    await upsertMany(contactRules, items, { match: body.match, onDuplicate: 'update' }, context),
    showContact,
    { ...body, mayRead: hasScope(context.principal, 'contacts:read') },
  );
}
