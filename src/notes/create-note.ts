import { created } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { toUuid } from '../values/id.ts';
import { addNote } from './add-note.ts';
import { toNote } from './note.ts';
import { lockOwner, ownerColumn, owners, rejectMerged } from './owner.ts';
import { requireScope } from './scopes.ts';

export async function createNote(
  { body }: Input<'createNote'>,
  context: OperationContext,
): Promise<Result<'createNote'>> {
  const named = owners.filter((owner) => typeof body[ownerColumn(owner)] === 'string');
  const [owner] = named;
  if (owner === undefined || named.length > 1) {
    throw invalidField('lead_id', 'must be there, or contact_id: exactly one of them');
  }
  requireScope(context, owner, 'write');
  const field = ownerColumn(owner);
  const id = body[field] as string;
  const uuid = toUuid(owner.prefix, id);
  if (uuid === undefined || !(await lockOwner(context.db, owner, uuid))) {
    await rejectMerged(context.db, owner, id);
    throw invalidField(field, `must be the id of an existing ${owner.prefix}`);
  }
  return created(`${context.baseUrl}/notes`, toNote(await addNote(owner, uuid, body, context)));
}
