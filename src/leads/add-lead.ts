import { newUuid } from '../db/id.ts';
import type { LeadRow } from '../db/tables.ts';
import { recordCreated } from '../events/record-change.ts';
import { distinct } from '../http/fields.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { insertUnique } from '../http/resource.ts';
import { actorOf, checkLostReason, toLead } from './lead.ts';
import { insertLead, leads } from './queries.ts';
import { resolveReferences } from './references.ts';

/** Adds a lead and its first status change. Throws 422 for a duplicate or an unknown reference. */
export async function addLead(lead: Schema<'CreateLead'>, context: OperationContext): Promise<LeadRow> {
  const { db, principal } = context;
  const { status = 'new', source = 'api', lost_reason = null } = lead;
  checkLostReason(status, lost_reason);
  const references = await resolveReferences(db, lead);
  const row = {
    id: newUuid(),
    name: lead.name,
    email: lead.email,
    phone: lead.phone ?? null,
    status,
    source,
    company: lead.company ?? null,
    tags: distinct(lead.tags),
    assigned_user_id: references.assigned_user_id ?? null,
    content_id: references.content_id ?? null,
    external_id: lead.external_id ?? null,
    lost_reason,
    metadata: lead.metadata,
  };
  const actor = actorOf(context);
  const added = await insertUnique(db, leads, row, principal, () => insertLead(db, row, actor));
  await recordCreated(context, 'lead', added.id, toLead(added));
  return added;
}
