import { recordCreated } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { distinct } from '../resource/fields.ts';
import { insert } from '../resource/rows.ts';
import { newUuid } from '../values/id.ts';
import { checkLostReason, toLead } from './lead.ts';
import { leadInsertion, leads } from './queries.ts';
import { lockReferences, type ResolveReferences } from './references.ts';
import type { LeadRow } from './tables.ts';
import { valueColumns } from './value.ts';

/** The row of a new lead. Throws 422 for a lost reason without the status, or an unknown reference. */
export function newLead(lead: Schema<'CreateLead'>, resolve: ResolveReferences) {
  const { lost_reason = null } = lead;
  checkLostReason(lead.status, lost_reason);
  const references = resolve(lead);
  return {
    id: newUuid(),
    name: lead.name,
    email: lead.email,
    phone: lead.phone ?? null,
    status: lead.status,
    source: lead.source,
    company: lead.company ?? null,
    tags: distinct(lead.tags),
    assigned_user_id: references.assigned_user_id ?? null,
    content_id: references.content_id ?? null,
    external_id: lead.external_id ?? null,
    lost_reason,
    value_amount: null,
    value_currency: null,
    ...valueColumns(lead.value),
    expected_close_on: lead.expected_close_on ?? null,
    metadata: lead.metadata,
  };
}

/** Adds a lead and its first status change. Throws 422 for a duplicate or an unknown reference. */
export async function addLead(lead: Schema<'CreateLead'>, context: OperationContext): Promise<LeadRow> {
  const row = newLead(lead, await lockReferences(context.db, [lead]));
  const added = await insert(context, leads, row, leadInsertion(row, context));
  await recordCreated(context, 'lead', toLead(added));
  return added;
}
