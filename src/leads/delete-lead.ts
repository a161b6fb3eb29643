import type { Input, OperationContext, Result } from '../http/operation.ts';
import { deleted } from '../http/resource.ts';
import { leads } from './queries.ts';

/** Permanent: its status changes go with it. */
export async function deleteLead(
  input: Input<'deleteLead'>,
  context: OperationContext,
): Promise<Result<'deleteLead'>> {
  return deleted(leads, input, context);
}
