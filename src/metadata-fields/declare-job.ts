import { storeJob } from '../bulk-jobs/create-job.ts';
import { contacts } from '../contacts/queries.ts';
import { contents } from '../content/queries.ts';
import { countRows } from '../db/list/fetch-page.ts';
import { leads } from '../leads/queries.ts';
import type { MetadataFieldRow } from '../metadata/tables.ts';
import type { OperationContext } from '../operation.ts';
import { newUuid, toId } from '../values/id.ts';

const sources = { leads, contacts, content: contents };

/** What happens to stored values that don't fit. */
type Unfit = 'reject' | 'clear';

/** Stores a job that converts the stored values of a key, and fills the column of an indexed one. Returns its UUID. */
export async function createDeclareJob(
  { id: field, resource, key }: Pick<MetadataFieldRow, 'id' | 'resource' | 'key'>,
  unfit: Unfit,
  context: OperationContext,
): Promise<string> {
  const action = { declare: { field_id: toId('field', field), key, unfit } };
  const total = await countRows(context.db, sources[resource], []);
  const job = {
    id: newUuid(),
    kind: 'declare',
    options: { filter: null, action },
    dry_run: false,
    totals: { [resource]: total },
  } as const;
  await storeJob(job, context);
  return job.id;
}
