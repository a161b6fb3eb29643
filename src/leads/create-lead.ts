import { toId } from '../db/id.ts';
import { etag } from '../http/conditional.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
import { addLead } from './add-lead.ts';
import { toLead } from './lead.ts';

export async function createLead(
  { body }: Input<'createLead'>,
  context: OperationContext,
): Promise<Result<'createLead'>> {
  const row = await addLead(body, context);
  return {
    status: 201,
    headers: { Location: `${context.baseUrl}/leads/${toId('lead', row.id)}`, ETag: etag(row.version) },
    body: { data: toLead(row) },
  };
}
