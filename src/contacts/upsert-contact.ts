import { created } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrAdd } from '../resource/find-or-add.ts';
import { newFields } from '../resource/new-fields.ts';
import { toId } from '../values/id.ts';
import { addContact } from './add-contact.ts';
import { toContact } from './contact.ts';
import { contacts } from './queries.ts';
import { updateContact } from './update-contact.ts';

export async function upsertContact(
  { path: { external_id }, query, headers, body }: Input<'upsertContact'>,
  context: OperationContext,
): Promise<Result<'upsertContact'>> {
  const { row, isNew } = await findOrAdd(
    context.db,
    { resource: contacts, column: 'external_id', value: external_id, rowLock: 'no key update' },
    () => addContact(context.checkBody('createContact', newFields(headers, external_id, body)), context),
  );
  if (isNew) return created(`${context.baseUrl}/contacts`, toContact(row));
  return updateContact({ path: { id: toId('contact', row.id) }, query, headers, body }, context);
}
