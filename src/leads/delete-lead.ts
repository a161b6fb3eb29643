import { erasePerson } from '../events/erase-person.ts';
import { recordDeleted } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent } from '../http/responses.ts';
import { remove } from '../resource/rows.ts';
import { leads } from './queries.ts';

/** Deletes a lead permanently, with its status changes and the personal data in its events and inbound deliveries. */
export async function deleteLead(
  input: Input<'deleteLead'>,
  context: OperationContext,
): Promise<Result<'deleteLead'>> {
  const lead = await remove(context.db, leads, input);
  await recordDeleted(context, 'lead', lead.id);
  await erasePerson(context.db, 'lead', lead);
  return noContent;
}
