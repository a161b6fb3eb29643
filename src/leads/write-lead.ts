import { NOW, type RowValues } from '../db/row-statements.ts';
import type { Schema } from '../operation.ts';
import { distinct, emailFields, merged, patchEmails, patchMetadata, patchTags } from '../resource/fields.ts';
import { updateOrThrow } from '../resource/rows.ts';
import type { Writer } from '../resource/rules.ts';
import { newUuid } from '../values/id.ts';
import { checkLostReason } from './lead.ts';
import { insertStatusChange, leads } from './queries.ts';
import type { ResolveReferences } from './references.ts';
import type { LeadRow } from './tables.ts';
import { valueColumns } from './value.ts';

/** The row of a new lead. Throws 422 for a lost reason without the status `lost`, or an unknown reference. */
export function newLead(lead: Schema<'CreateLead'>, resolve: ResolveReferences) {
  const { lost_reason = null } = lead;
  checkLostReason(lead.status, lost_reason);
  const references = resolve(lead);
  return {
    id: newUuid(),
    name: lead.name,
    ...emailFields(lead.email, lead.other_emails ?? []),
    phone: lead.phone ?? null,
    status: lead.status,
    source: lead.source,
    source_detail: lead.source_detail ?? null,
    company: lead.company ?? null,
    tags: distinct(lead.tags),
    assigned_user_id: references.assigned_user_id ?? null,
    content_id: references.content_id ?? null,
    contact_id: references.contact_id ?? null,
    external_id: lead.external_id ?? null,
    lost_reason,
    value_amount: null,
    value_currency: null,
    ...valueColumns(lead.value),
    expected_close_on: lead.expected_close_on ?? null,
    next_step: lead.next_step ?? null,
    next_step_at: lead.next_step_at ?? null,
    metadata: lead.metadata,
  };
}

/**
 * The columns that a merge patch changes. Throws 422 for a lost reason without the status `lost`, an unknown reference, an
 * invalid value or too much metadata.
 */
export function patchedLead(
  before: LeadRow,
  { email, other_emails, tags, add_tags, remove_tags, metadata, value, ...fields }: Schema<'UpdateLead'>,
  resolve: ResolveReferences,
): RowValues<LeadRow> {
  checkLostReason(fields.status ?? before.status, fields.lost_reason);
  return withStatus(before, {
    ...fields,
    ...patchEmails(before, { email, other_emails }),
    ...resolve(fields, before),
    ...valueColumns(value, before),
    tags: patchTags(before.tags, { tags, add_tags, remove_tags }),
    metadata: patchMetadata(before.metadata, metadata),
  });
}

/** The value of the sales cycle that begins is not that of the one that was won. */
const unknownValue = { value_amount: null, value_currency: null, expected_close_on: null };

/** Adds the columns that change with the status. Clears `lost_reason` unless the status is `lost`. */
export function withStatus(
  before: LeadRow,
  { status = before.status, ...values }: RowValues<LeadRow>,
): RowValues<LeadRow> {
  return {
    ...(before.status === 'won' && status !== 'won' && unknownValue),
    ...values,
    status,
    ...(status !== before.status && { status_changed_at: NOW }),
    ...(status !== 'lost' && { lost_reason: null }),
  };
}

/** Fills the empty fields of a lead and adds tags and metadata, up to their limits. Never overwrites a value. */
export function mergedLead(
  before: LeadRow,
  lead: Schema<'UpdateLead'>,
  resolve: ResolveReferences,
): RowValues<LeadRow> {
  const references = resolve({
    assigned_user_id: before.assigned_user_id === null ? lead.assigned_user_id : undefined,
    content_id: before.content_id === null ? lead.content_id : undefined,
    contact_id: before.contact_id === null ? lead.contact_id : undefined,
  });
  return withStatus(before, {
    ...merged(before, lead),
    source_detail: before.source_detail ?? lead.source_detail ?? null,
    ...(before.value_amount === null && valueColumns(lead.value)),
    expected_close_on: before.expected_close_on ?? lead.expected_close_on ?? null,
    ...references,
  });
}

/** Updates a locked lead and its status history. */
export async function changeLead(
  before: LeadRow,
  values: RowValues<LeadRow>,
  writer: Writer,
): Promise<LeadRow> {
  const after = await updateOrThrow(writer, leads, before, values);
  // After a merge, the history says how the lead came to its status.
  const isMerge = values.sales_cycle_id !== undefined;
  if (after.status !== before.status && !isMerge) await insertStatusChange(before, after, writer);
  return after;
}
