import { created } from '../http/responses.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { findOrAdd } from '../resource/find-or-add.ts';
import { newFields } from '../resource/new-fields.ts';
import { toId } from '../values/id.ts';
import { addLead } from './add-lead.ts';
import { toLead } from './lead.ts';
import { leads } from './queries.ts';
import { updateLead } from './update-lead.ts';

export async function upsertLead(
  { path: { external_id }, query, headers, body }: Input<'upsertLead'>,
  context: OperationContext,
): Promise<Result<'upsertLead'>> {
  const { row, isNew } = await findOrAdd(
    context.db,
    { resource: leads, column: 'external_id', value: external_id, rowLock: 'no key update' },
    () => addLead(context.checkBody('createLead', newFields(headers, external_id, body)), context),
  );
  if (isNew) return created(`${context.baseUrl}/leads`, toLead(row));
  return updateLead({ path: { id: toId('lead', row.id) }, query, headers, body }, context);
}
