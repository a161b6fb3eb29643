import type { LeadRow } from '../db/tables.ts';
import { fillMissing } from '../http/fields.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { changeLead } from '../leads/change-lead.ts';
import { resolveReferences } from '../leads/references.ts';

const MAX_TAGS = 20;

/** Fills the empty fields of a lead and adds tags and metadata, up to their limits. Never overwrites a value. */
export async function mergeLead(
  before: LeadRow,
  lead: Schema<'CreateLead'>,
  context: OperationContext,
): Promise<void> {
  const { tags = [], metadata = {} } = lead;
  const references = await resolveReferences(context.db, {
    assigned_user_id: before.assigned_user_id === null ? lead.assigned_user_id : undefined,
    content_id: before.content_id === null ? lead.content_id : undefined,
  });
  await changeLead(
    before,
    {
      phone: before.phone ?? lead.phone ?? null,
      company: before.company ?? lead.company ?? null,
      external_id: before.external_id ?? lead.external_id ?? null,
      ...references,
      tags: [...new Set([...before.tags, ...tags])].slice(0, MAX_TAGS),
      metadata: fillMissing(before.metadata, metadata),
    },
    context,
  );
}
