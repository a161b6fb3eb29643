import { recordUpdated } from '../events/record-change.ts';
import { ok } from '../http/responses.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { lockOrThrow } from '../resource/rows.ts';
import { toLead } from './lead.ts';
import { leads } from './queries.ts';
import { lockReferences } from './references.ts';
import { isClosed, type LeadRow, type LeadStatus } from './tables.ts';
import { changeLead, patchedLead } from './write-lead.ts';

/** Begins the next sales cycle. Of several concurrent requests, one does, and the others find the lead open. */
export async function reopenLead(
  input: Input<'reopenLead'>,
  context: OperationContext,
): Promise<Result<'reopenLead'>> {
  const { db } = context;
  const before = await lockOrThrow(db, leads, input);
  if (!isClosed(before.status)) {
    throw invalidField('status', `is ${before.status}: only a won or lost lead can be reopened`, 'lead_open');
  }
  return ok(toLead(await reopen(before, input.body, context)));
}

/** Begins the next sales cycle of a locked lead that is won or lost, with these fields. */
export async function reopen(
  before: LeadRow,
  fields: Schema<'UpdateLead'> & { status: LeadStatus },
  context: OperationContext,
): Promise<LeadRow> {
  const references = await lockReferences(context.db, [fields]);
  const after = await changeLead(before, patchedLead(before, fields, references), context);
  await recordUpdated(context, 'lead', toLead(before), toLead(after));
  return after;
}
