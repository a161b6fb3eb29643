import { recordDeleted } from '../events/record-change.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { noContent, remove } from '../http/resource.ts';
import { leads } from './queries.ts';

/** Permanent: its status changes go with it. */
export async function deleteLead(
  input: Input<'deleteLead'>,
  context: OperationContext,
): Promise<Result<'deleteLead'>> {
  const { id } = await remove(leads, input, context);
  await recordDeleted(context, 'lead', id);
  return noContent;
}
