import type { Db } from '../../db/db.ts';
import type { Condition } from '../../db/list/condition.ts';
import { isNotNull } from '../../db/list/filters.ts';
import type { ListSource, PageRequest } from '../../db/list/page.ts';
import { keyIn, metadataConditions, sortByMetadata } from '../../metadata/select.ts';
import { invalidParameter } from '../../problem.ts';

/** What of a query names keys of metadata. */
interface Selecting {
  sort?: string;
  metadata?: Readonly<Record<string, string>>;
}

/** The order of a list, and all conditions of its rows. Sorted by a sparse column, it has only the rows with a value. */
export async function selectRows(
  db: Db,
  source: ListSource,
  { sort: order = '', metadata }: Selecting,
  conditions: readonly Condition[],
): Promise<{ source: ListSource; sort: PageRequest['sort']; conditions: readonly Condition[] }> {
  const key = keyIn(order.replace(/^-/, ''));
  const sort =
    key === undefined
      ? parseSort(order === '' ? undefined : order, source)
      : await sortByMetadata(db, source.table, { key, descending: order.startsWith('-') });
  const isSparse = key !== undefined || source.sparse?.includes(sort.column);
  const filled = isSparse ? [isNotNull(sort.column)] : [];
  return {
    source: key === undefined ? source : { ...source, columns: [...source.columns, sort.column] },
    sort,
    conditions: [...conditions, ...(await metadataConditions(db, source.table, metadata)), ...filled],
  };
}

/** Throws 400 if the list can't be sorted by the column. The default is its first column, descending. */
function parseSort(
  sort: string | undefined,
  { sortable, sortedBy }: Pick<ListSource, 'sortable' | 'sortedBy'>,
): PageRequest['sort'] {
  const order = sort ?? `-${Object.keys(sortable)[0]}`;
  const name = order.replace(/^-/, '');
  const column = sortedBy?.[name] ?? name;
  const type = sortable[column];
  if (type === undefined) {
    throw invalidParameter('sort', `must be one of ${Object.keys(sortable).join(', ')}`);
  }
  return { column, type, descending: order.startsWith('-') };
}
