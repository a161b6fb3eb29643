import type { BaseRow } from '../db/tables.ts';
import type { Input, OperationContext } from '../operation.ts';
import type { ManyRules } from '../resource/many.ts';
import { toUuid } from '../values/id.ts';
import { countStatuses, requireNone } from './answer.ts';

/** Deletes rows by their public ids, of which a repeated one is not found. Throws 422 if all must be found. */
export async function deleteBatch<Row extends BaseRow>(
  rules: Pick<
    ManyRules<Row, 'lead' | 'contact', never, never, never>,
    'resource' | 'findRows' | 'removeRows'
  >,
  { ids, atomic }: Input<'batchDeleteLeads'>['body'],
  context: OperationContext,
) {
  const uuids = ids.map((id) => toUuid(rules.resource.prefix, id));
  const wanted = [...new Set(uuids)].filter((uuid) => uuid !== undefined);
  const rows = await rules.findRows(context.db, { id: wanted }, 'update');
  const left = new Set<string | undefined>(rows.map(({ id }) => id));
  const data = ids.map((id, index) => {
    const status = left.delete(uuids[index]) ? ('deleted' as const) : ('not_found' as const);
    return { index, status, id };
  });
  if (atomic) {
    const unknown = data.filter(({ status }) => status === 'not_found');
    requireNone(unknown.map(({ index }) => [`ids.${index}`, ['does not exist']]));
  }
  if (rows.length > 0) await rules.removeRows(rows, context);
  return { status: 200 as const, body: { data, meta: countStatuses(data) } };
}
