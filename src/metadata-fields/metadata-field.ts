import type { MetadataFieldRow } from '../metadata/tables.ts';
import type { Schema } from '../operation.ts';
import { history } from '../resource/fields.ts';
import { toId } from '../values/id.ts';

export function toMetadataField(row: MetadataFieldRow): Schema<'MetadataField'> {
  return {
    id: toId('field', row.id),
    resource: row.resource,
    key: row.key,
    label: row.label,
    type: row.type,
    options: row.options,
    indexed: row.slot !== null,
    status: row.status,
    job_id: toId('job', row.job_id),
    ...history(row),
  };
}
