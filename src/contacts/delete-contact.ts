import { deleteRows } from '../db/resource.ts';
import { erasePeople } from '../erasures/erase-people.ts';
import { recordDeleted } from '../events/record-change.ts';
import type { Recorder } from '../events/record-events.ts';
import { noContent } from '../http/responses.ts';
import { unlinkContacts } from '../leads/unlink-contacts.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { lock } from '../resource/rows.ts';
import { contacts } from './queries.ts';
import type { ContactRow } from './tables.ts';

export async function deleteContact(
  input: Input<'deleteContact'>,
  context: OperationContext,
): Promise<Result<'deleteContact'>> {
  await removeContacts([await lock(context.db, contacts, input, 'update')], context);
  return noContent;
}

/**
 * Deletes locked contacts permanently, with the personal data in their events and inbound deliveries. Their leads stay,
 * without a contact.
 */
export async function removeContacts(rows: readonly ContactRow[], context: Recorder): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await unlinkContacts(ids, context);
  await deleteRows(context.db, contacts, ids);
  await recordDeleted(context, 'contact', ...ids);
  await erasePeople(context.db, 'contact', rows);
}
