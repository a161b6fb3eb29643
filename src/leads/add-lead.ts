import { newUuid } from '../db/id.ts';
import type { LeadRow } from '../db/tables.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { checkLostReason } from './lead.ts';
import { insertLead } from './queries.ts';
import { findDuplicate, resolveReferences, translateReference } from './references.ts';

/** A conflicting lead may vanish between the insert that met it and the look at it; then the insert is tried again. */
const MAX_TRIES = 3;

/** Adds a lead with the first of its status changes. Throws 422 for a duplicate or an unknown reference. */
export async function addLead(
  lead: Schema<'CreateLead'>,
  { db, principal, requestId }: OperationContext,
): Promise<LeadRow> {
  const status = lead.status ?? 'new';
  checkLostReason(status, lead.lost_reason);
  const references = await resolveReferences(db, lead);
  const row = {
    id: newUuid(),
    name: lead.name,
    email: lead.email,
    phone: lead.phone ?? null,
    status,
    source: lead.source ?? 'api',
    company: lead.company ?? null,
    tags: [...new Set(lead.tags)],
    assigned_user_id: references.assigned_user_id ?? null,
    content_id: references.content_id ?? null,
    external_id: lead.external_id ?? null,
    lost_reason: lead.lost_reason ?? null,
    metadata: JSON.stringify(lead.metadata ?? {}),
  };
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const inserted = await insertLead(db, row, { actor_id: principal.clientId, request_id: requestId }).catch(
      (error: unknown) => {
        throw translateReference(error);
      },
    );
    if (inserted !== undefined) return inserted;
    const duplicate = await findDuplicate(db, row, principal);
    if (duplicate !== undefined) throw duplicate;
  }
  throw new Error('The insert met a conflicting lead that could not be found.');
}
