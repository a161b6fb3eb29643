import type { Input, OperationContext, Result } from '../http/operation.ts';
import { changed } from '../http/resource.ts';
import { toLead } from './lead.ts';
import { patchLead } from './patch-lead.ts';
import { leads } from './queries.ts';

export async function updateLead(
  input: Input<'updateLead'>,
  context: OperationContext,
): Promise<Result<'updateLead'>> {
  return changed(leads, toLead, patchLead, input, context);
}
