import { erasePerson } from '../events/erase-person.ts';
import { recordDeleted } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent, remove } from '../http/resource.ts';
import { leads } from './queries.ts';

/** Deletes a lead permanently, with its status changes and the personal data in its events and inbound deliveries. */
export async function deleteLead(
  input: Input<'deleteLead'>,
  context: OperationContext,
): Promise<Result<'deleteLead'>> {
  const lead = await remove(leads, input, context);
  await recordDeleted(context, 'lead', lead.id);
  await erasePerson(context.db, 'lead', lead);
  return noContent;
}
