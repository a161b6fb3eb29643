import type { LeadRow } from '../db/tables.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { changeLead } from '../leads/change-lead.ts';
import { resolveReferences } from '../leads/references.ts';

const MAX_TAGS = 20;
const MAX_METADATA = 50;

/** Fills what is empty in a lead and adds tags and metadata, as far as there is room. Never overwrites. */
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
  const added = Object.entries(metadata).filter(([key]) => !Object.hasOwn(before.metadata, key));
  await changeLead(
    before,
    {
      phone: before.phone ?? lead.phone ?? null,
      company: before.company ?? lead.company ?? null,
      external_id: before.external_id ?? lead.external_id ?? null,
      ...references,
      tags: [...new Set([...before.tags, ...tags])].slice(0, MAX_TAGS),
      metadata: Object.fromEntries([...Object.entries(before.metadata), ...added].slice(0, MAX_METADATA)),
    },
    context,
  );
}
