import { created } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { addLead } from './add-lead.ts';
import { toLead } from './lead.ts';

export async function createLead(
  { body }: Input<'createLead'>,
  context: OperationContext,
): Promise<Result<'createLead'>> {
  return created(`${context.baseUrl}/leads`, toLead(await addLead(body, context)));
}
