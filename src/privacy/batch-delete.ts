import { findMerges } from '../merges/queries.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { countStatuses, requireNone } from '../resource/batches/answer.ts';
import type { PersonTypes, SingleRules } from '../resource/rules.ts';
import { toId, toUuid } from '../values/id.ts';
import { removeRows, type Unlink } from './remove.ts';

/**
 * Deletes rows by their ids. A repeated id is not found the second time. Throws 422 if
 * the batch is atomic and one isn't found.
 */
export function batchDelete<T extends PersonTypes>(rules: SingleRules<T>, unlink?: Unlink) {
  const { kind, resource, findRows } = rules;
  return async (
    { body: { ids, atomic } }: Pick<Input<'batchDeleteLeads'>, 'body'>,
    context: OperationContext,
  ): Promise<Result<'batchDeleteLeads'>> => {
    const uuids = ids.map((id) => toUuid(resource.prefix, id));
    const wanted = [...new Set(uuids)].filter((uuid) => uuid !== undefined);
    const rows = await findRows(context.db, { id: wanted }, 'update');
    const merges = new Map(
      (await findMerges(context.db, wanted)).map(({ id, merged_into }) => [id, toId(kind, merged_into)]),
    );
    const left = new Set<string | undefined>(rows.map(({ id }) => id));
    const data = ids.map((id, index) => {
      const status = left.delete(uuids[index]) ? ('deleted' as const) : ('not_found' as const);
      const merged_into = merges.get(uuids[index] ?? '');
      return { index, status, id, ...(merged_into !== undefined && { merged_into }) };
    });
    if (atomic) {
      const unknown = data.filter(({ status }) => status === 'not_found');
      requireNone(
        unknown.map(({ index, merged_into }) => [
          `ids.${index}`,
          [merged_into === undefined ? 'does not exist' : `was merged into ${merged_into}`],
        ]),
      );
    }
    if (rows.length > 0) await removeRows(rules, rows, context, unlink);
    return { status: 200, body: { data, meta: countStatuses(data) } };
  };
}
