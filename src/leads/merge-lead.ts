import type { RowValues } from '../db/row-statements.ts';
import { recordUpdated } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { merged } from '../resource/fields.ts';
import { changeLead, withStatus } from './change-lead.ts';
import { toLead } from './lead.ts';
import { lockReferences, type ResolveReferences } from './references.ts';
import type { LeadRow } from './tables.ts';
import { valueColumns } from './value.ts';

/** What fills the empty fields of a lead and adds tags and metadata, up to their limits. Never overwrites a value. */
export function mergedLead(
  before: LeadRow,
  lead: Schema<'UpdateLead'>,
  resolve: ResolveReferences,
): RowValues<LeadRow> {
  const references = resolve({
    assigned_user_id: before.assigned_user_id === null ? lead.assigned_user_id : undefined,
    content_id: before.content_id === null ? lead.content_id : undefined,
  });
  return withStatus(before, {
    ...merged(before, lead),
    ...(before.value_amount === null && valueColumns(lead.value)),
    expected_close_on: before.expected_close_on ?? lead.expected_close_on ?? null,
    ...references,
  });
}

export async function mergeLead(
  before: LeadRow,
  lead: Schema<'CreateLead'>,
  context: OperationContext,
): Promise<void> {
  const resolve = await lockReferences(context.db, [lead]);
  const after = await changeLead(before, mergedLead(before, lead, resolve), context);
  await recordUpdated(context, 'lead', toLead(before), toLead(after));
}
