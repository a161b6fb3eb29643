import { readChangeHorizon } from '../../db/change-horizon.ts';
import type { Condition } from '../../db/list/condition.ts';
import type { ListSource } from '../../db/list/page.ts';
import type { OperationContext, RowStream } from '../../operation.ts';
import { type ExpandQuery, expander } from '../expand/expand.ts';
import { checkRanges, upTo } from './pagination.ts';
import { checkSearch } from './search.ts';
import { selectRows } from './select-rows.ts';

interface Export<Row, Data> {
  query: ExpandQuery & {
    sort?: string;
    search?: string;
    updated_from?: string;
    metadata?: Readonly<Record<string, string>>;
  };
  conditions: readonly Condition[];
  toData: (row: Row) => Data;
}

/**
 * 200 with all rows of a list, with `updated_from` up to the change horizon. Throws 400 for an inverted range, or a search
 * with too many words.
 */
export async function exportRows<Row, Data>(
  { db, principal, readSnapshot }: Pick<OperationContext, 'db' | 'principal' | 'readSnapshot'>,
  list: ListSource,
  { query, conditions: given, toData }: Export<Row, Data>,
) {
  const expand = expander({ principal }, query);
  checkRanges(query);
  checkSearch(query.search);
  const { source, sort, conditions } = await selectRows(db, list, query, given);
  const horizon = query.updated_from === undefined ? undefined : await readChangeHorizon(db);
  const request = {
    conditions: upTo(horizon, conditions),
    search: query.search,
    sort,
  };
  const body: RowStream<Data> = async function* (signal) {
    for await (const { rows, snapshot } of readSnapshot<Row>(source, request, signal)) {
      const items = rows.map(toData);
      await expand(snapshot, rows, items);
      yield items;
    }
  };
  return { status: 200 as const, headers: { 'Cache-Control': 'no-store' }, body };
}
