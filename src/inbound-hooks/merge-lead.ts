import { schemas } from '../../generated/rules.ts';
import { recordUpdated } from '../events/record-change.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { changeLead } from '../leads/change-lead.ts';
import { toLead } from '../leads/lead.ts';
import { resolveReferences } from '../leads/references.ts';
import type { LeadRow } from '../leads/tables.ts';
import { fillMissing } from '../resource/fields.ts';

/** Fills the empty fields of a lead and adds tags and metadata, up to their limits. Never overwrites a value. */
export async function mergeLead(
  before: LeadRow,
  lead: Schema<'CreateLead'>,
  context: OperationContext,
): Promise<void> {
  const references = await resolveReferences(context.db, {
    assigned_user_id: before.assigned_user_id === null ? lead.assigned_user_id : undefined,
    content_id: before.content_id === null ? lead.content_id : undefined,
  });
  const after = await changeLead(
    before,
    {
      phone: before.phone ?? lead.phone ?? null,
      company: before.company ?? lead.company ?? null,
      external_id: before.external_id ?? lead.external_id ?? null,
      ...references,
      tags: [...new Set([...before.tags, ...lead.tags])].slice(0, schemas.Tags.maxItems),
      metadata: fillMissing(before.metadata, lead.metadata),
    },
    context,
  );
  await recordUpdated(context, 'lead', toLead(before), toLead(after));
}
