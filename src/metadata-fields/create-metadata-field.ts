import { logAct } from '../audit-log/log-act.ts';
import { lockCount } from '../db/lock-count.ts';
import { created } from '../http/responses.ts';
import { findDeclared, metadataFields } from '../metadata/queries.ts';
import { freeSlot } from '../metadata/slots.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { distinct } from '../resource/fields.ts';
import { insertOrThrow } from '../resource/rows.ts';
import { PHONE_EXTENSION } from '../spellings/phone.ts';
import { newUuid, toId } from '../values/id.ts';
import { createDeclareJob } from './declare-job.ts';
import { toMetadataField } from './metadata-field.ts';

/** Declared keys of one resource. */
const MAX_FIELDS = 100;

/** Queues the job that converts the stored values (declare-kind.ts). */
export async function createMetadataField(
  { body }: Input<'createMetadataField'>,
  context: OperationContext,
): Promise<Result<'createMetadataField'>> {
  const { db, baseUrl } = context;
  const { resource, key, label = null, type, options, indexed, unfit } = body;
  checkOptions(type, options);
  if (key === PHONE_EXTENSION && type !== 'text')
    throw invalidField('type', `can only be text for ${key}, which holds the extensions of phone numbers`);
  // One after another, so that two don't take the same column.
  await lockCount(db, 'metadata_fields');
  const declared = await findDeclared(db, resource);
  if (declared.has(key)) throw invalidField('key', `is declared already for ${resource}`);
  if (declared.size >= MAX_FIELDS) {
    throw invalidField(
      'key',
      `can't be declared: ${resource} have ${MAX_FIELDS} keys already, which is the maximum`,
    );
  }
  const field = {
    id: newUuid(),
    resource,
    key,
    label,
    type,
    options: distinct(options) ?? null,
    slot: indexed ? freeSlot(declared) : null,
    status: 'converting',
    is_typed: false,
  } as const;
  const job = await createDeclareJob(field, unfit, context);
  const row = await insertOrThrow(context, metadataFields, { ...field, job_id: job });
  logAct(context, 'metadata_field.created', { metadata_field_id: toId('field', row.id) });
  return created(`${baseUrl}/metadata-fields`, toMetadataField(row));
}

function checkOptions(type: Schema<'MetadataFieldType'>, options: readonly string[] | undefined): void {
  if (type === 'choice' && options === undefined) throw invalidField('options', 'is required for a choice');
  if (type !== 'choice' && options !== undefined)
    throw invalidField('options', 'can only be sent for a choice');
}
