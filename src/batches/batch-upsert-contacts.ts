import { contactRules } from '../contacts/contact-rules.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { upsertMany } from '../resource/many.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';
import { showContact } from './show.ts';

export async function batchUpsertContacts(
  { body }: Input<'batchUpsertContacts'>,
  context: OperationContext,
): Promise<Result<'batchUpsertContacts'>> {
  const items = await checkItems('batchUpsertContacts', body.items, context);
  return answerBatch(
    await upsertMany(contactRules, items, { match: body.match, onDuplicate: 'update' }, context),
    showContact,
    body,
  );
}
