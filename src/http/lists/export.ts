import type { ReadSnapshot } from '../../context.ts';
import type { Condition } from '../../db/list/condition.ts';
import type { ListSource } from '../../db/list/page.ts';
import type { RowStream } from '../../operation.ts';
import { checkRanges, parseSort } from './pagination.ts';
import { checkSearch } from './search.ts';

interface Export<Row, Data> {
  query: { sort?: string; search?: string };
  conditions: readonly Condition[];
  toData: (row: Row) => Data;
}

/** 200 with all rows of a list. Throws 400 for an inverted range, or a search with too many words. */
export function exportRows<Row, Data>(
  readSnapshot: ReadSnapshot,
  source: ListSource,
  { query, conditions, toData }: Export<Row, Data>,
) {
  checkRanges(query);
  checkSearch(query.search);
  const sort = parseSort(query.sort, source.sortable);
  const request = { conditions, search: query.search, sort };
  const body: RowStream<Data> = async function* (signal) {
    for await (const batch of readSnapshot<Row>(source, request, signal)) yield batch.map(toData);
  };
  return { status: 200 as const, headers: { 'Cache-Control': 'no-store' }, body };
}
