import type { InboundHookRow } from '../db/inbound-tables.ts';
import { checkSize, distinct } from '../http/fields.ts';
import type { OperationContext, Schema } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { resolveReferences } from '../leads/references.ts';
import { mergeMap } from '../merge-patch.ts';
import { hooks } from './queries.ts';
import { patchVerification } from './verification.ts';

/** Applies a JSON Merge Patch (RFC 7396). */
export async function patchHook(
  before: InboundHookRow,
  { default_tags, mapping, verification, ...patch }: Schema<'UpdateInboundHook'>,
  { db, principal, secretKey }: OperationContext,
): Promise<InboundHookRow> {
  const changes = {
    ...patch,
    ...(await resolveReferences(db, patch, before)),
    default_tags: distinct(default_tags),
    mapping: mapping && checkSize('mapping', mergeMap(before.mapping, mapping as InboundHookRow['mapping'])),
    ...patchVerification(verification, secretKey, before),
  };
  return change(db, hooks, before, changes, principal);
}
