import type { Input, OperationContext, Result } from '../../operation.ts';
import { toUuid } from '../../values/id.ts';
import type { PersonTypes, SingleRules } from '../rules.ts';
import { removeRows, type Unlink } from '../write-one.ts';
import { countStatuses, requireNone } from './answer.ts';

/**
 * Deletes rows by their ids. A repeated id is not found the second time. Throws 422 if
 * the batch is atomic and one isn't found.
 */
export function batchDelete<T extends PersonTypes>(rules: SingleRules<T>, unlink?: Unlink) {
  const { resource, findRows } = rules;
  return async (
    { body: { ids, atomic } }: Pick<Input<'batchDeleteLeads'>, 'body'>,
    context: OperationContext,
  ): Promise<Result<'batchDeleteLeads'>> => {
    const uuids = ids.map((id) => toUuid(resource.prefix, id));
    const wanted = [...new Set(uuids)].filter((uuid) => uuid !== undefined);
    const rows = await findRows(context.db, { id: wanted }, 'update');
    const left = new Set<string | undefined>(rows.map(({ id }) => id));
    const data = ids.map((id, index) => {
      const status = left.delete(uuids[index]) ? ('deleted' as const) : ('not_found' as const);
      return { index, status, id };
    });
    if (atomic) {
      const unknown = data.filter(({ status }) => status === 'not_found');
      requireNone(unknown.map(({ index }) => [`ids.${index}`, ['does not exist']]));
    }
    if (rows.length > 0) await removeRows(rules, rows, context, unlink);
    return { status: 200, body: { data, meta: countStatuses(data) } };
  };
}
