import type { LeadRow } from '../db/tables.ts';
import { distinct, patchedMetadata } from '../http/fields.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { changeLead } from './change-lead.ts';
import { checkLostReason } from './lead.ts';
import { resolveReferences } from './references.ts';

/** Applies a JSON Merge Patch (RFC 7396). */
export async function patchLead(
  before: LeadRow,
  { tags, metadata, ...patch }: Schema<'UpdateLead'>,
  context: OperationContext,
): Promise<LeadRow> {
  checkLostReason(patch.status ?? before.status, patch.lost_reason);
  const changes = {
    ...patch,
    ...(await resolveReferences(context.db, patch, before)),
    tags: distinct(tags),
    metadata: patchedMetadata(before.metadata, metadata),
  };
  return changeLead(before, changes, context);
}
