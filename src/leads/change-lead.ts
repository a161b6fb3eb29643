import { NOW, type RowValues } from '../db/row-statements.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { distinct, patchMetadata } from '../resource/fields.ts';
import { update } from '../resource/rows.ts';
import { checkLostReason } from './lead.ts';
import { insertStatusChange, leads } from './queries.ts';
import type { ResolveReferences } from './references.ts';
import type { LeadRow } from './tables.ts';
import { valueColumns } from './value.ts';

/**
 * What a patch writes. Throws 422 for a lost reason without the status, an unknown
 * reference, a wrong value or too much metadata.
 */
export function patchedLead(
  before: LeadRow,
  { tags, metadata, value, ...fields }: Schema<'UpdateLead'>,
  resolve: ResolveReferences,
): RowValues<LeadRow> {
  checkLostReason(fields.status ?? before.status, fields.lost_reason);
  return withStatus(before, {
    ...fields,
    ...resolve(fields, before),
    ...valueColumns(value, before),
    tags: distinct(tags),
    metadata: patchMetadata(before.metadata, metadata),
  });
}

/** The values with what a change of the status writes besides. Clears `lost_reason` when the status is not `lost`. */
export function withStatus(
  before: LeadRow,
  { status = before.status, ...values }: RowValues<LeadRow>,
): RowValues<LeadRow> {
  return {
    ...values,
    status,
    ...(status !== before.status && { status_changed_at: NOW }),
    ...(status !== 'lost' && { lost_reason: null }),
  };
}

/** Updates a lead, with its history of statuses. */
export async function changeLead(
  before: LeadRow,
  values: RowValues<LeadRow>,
  context: OperationContext,
): Promise<LeadRow> {
  const after = await update(context, leads, before, values);
  if (after.status !== before.status) await insertStatusChange(before, after, context);
  return after;
}
