import { logAct } from '../audit-log/log-act.ts';
import { bulkJobs } from '../bulk-jobs/queries.ts';
import { lockCount } from '../db/lock-count.ts';
import { findRow } from '../db/resource.ts';
import { ok } from '../http/responses.ts';
import { findDeclared, metadataFields } from '../metadata/queries.ts';
import { freeSlot } from '../metadata/slots.ts';
import type { MetadataFieldRow } from '../metadata/tables.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { distinct } from '../resource/fields.ts';
import { lockOrThrow, updateOrThrow } from '../resource/rows.ts';
import { toId } from '../values/id.ts';
import { createDeclareJob } from './declare-job.ts';
import { toMetadataField } from './metadata-field.ts';

export async function updateMetadataField(
  input: Input<'updateMetadataField'>,
  context: OperationContext,
): Promise<Result<'updateMetadataField'>> {
  const { db } = context;
  const { label, options, indexed, status } = input.body;
  // As a creation does, so that two fields don't take the same column.
  await lockCount(db, 'metadata_fields');
  const before = await lockOrThrow(db, metadataFields, input);
  if (options !== undefined && before.type !== 'choice') {
    throw invalidField('options', 'can only be sent for a choice');
  }
  if (status === 'archived' && before.status === 'converting') {
    throw invalidField('status', "can't be archived while the values are being converted");
  }
  const slot = await slotAfter(context, before, indexed);
  const wasInterrupted =
    status === 'active' && before.status === 'converting' && (await hasEnded(context, before));
  const needsJob = (slot !== null && slot !== before.slot) || wasInterrupted;
  const row = await updateOrThrow(context, metadataFields, before, {
    label,
    options: distinct(options),
    slot,
    ...(before.status !== 'converting' && { status }),
    ...(needsJob && { status: 'converting', job_id: await createDeclareJob(before, 'reject', context) }),
  });
  if (row.version !== before.version) {
    logAct(context, 'metadata_field.updated', { metadata_field_id: toId('field', row.id) });
  }
  return ok(toMetadataField(row));
}

/** The column after the change. Throws 422 while the values are being converted. */
async function slotAfter(
  { db }: OperationContext,
  { resource, slot, status }: MetadataFieldRow,
  indexed: boolean | undefined,
): Promise<number | null> {
  if (indexed === undefined || indexed === (slot !== null)) return slot;
  if (status === 'converting')
    throw invalidField('indexed', "can't change while the values are being converted");
  return indexed ? freeSlot(await findDeclared(db, resource)) : null;
}

async function hasEnded({ db }: OperationContext, { job_id }: MetadataFieldRow): Promise<boolean> {
  const job = await findRow(db, bulkJobs, job_id);
  return job === undefined || job.finished_at !== null;
}
