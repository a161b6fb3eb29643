/** Groups of a report's rows, such as the users: their cells, their names and the filters of their lists. */
import { findTitles } from '../content/queries.ts';
import { findDeclared } from '../metadata/queries.ts';
import { indexedColumn, keyIn } from '../metadata/select.ts';
import type { Input, Schema } from '../operation.ts';
import { findNames } from '../users/queries.ts';
import { toId } from '../values/id.ts';
import {
  type Cell,
  countCells,
  type Grouping,
  type GroupKey,
  type Kind,
  type MetadataColumn,
} from './group-queries.ts';
import { closedValue, countOf } from './money.ts';
import { ratio, type Scope } from './report.ts';

type Query = Pick<Input<'getAnalyticsTimeseries'>['query'], 'group_by' | 'tag'>;

export interface Group {
  /** The id of a user or of content, or the text that the group has in common. Null for those without it, and without groups. */
  id: string | null;
  name: string | null;
  cells: readonly Cell[];
  /** The filters of the group's lists. */
  filters: Record<string, string>;
}

interface Groups {
  groups: Group[];
  /** How many there are without the limit. */
  total: number;
}

/** The groups with what happened in the window, those with the most won first. */
export async function findGroups(
  { db, subject }: Scope,
  { group_by, tag: tags }: Query,
  options: Pick<Grouping, 'begins' | 'withOpen' | 'limit'>,
): Promise<Groups> {
  const key = keyIn(group_by);
  const by =
    key === undefined
      ? (group_by as GroupKey)
      : (indexedColumn(await findDeclared(db, 'leads'), key, 'group_by') as MetadataColumn);
  const cells = await countCells(db, subject, { by, tags, ...options });
  const found = [...Map.groupBy(cells, ({ key }) => key).values()];
  const labels = found.map(([cell]) => cell?.label ?? null);
  const ids = labels.filter((label) => label !== null);
  const names =
    by === 'assigned_user'
      ? await findNames(db, ids)
      : by === 'content'
        ? await findTitles(db, ids)
        : new Map<string, string>();
  const groups = found.map((own, index) => {
    const label = labels[index] ?? null;
    const id = label && toPublic(by, label);
    return { id, name: names.get(label ?? '') ?? null, cells: own, filters: filtersOf(group_by, id) };
  });
  return { groups, total: cells[0]?.groups ?? 0 };
}

/** Without groups, one of all rows. */
export const everything: Group = { id: null, name: null, cells: [], filters: {} };

function toPublic(by: GroupKey, label: string): string {
  if (by === 'assigned_user') return toId('user', label);
  return by === 'content' ? toId('content', label) : label;
}

function filtersOf(by: string, id: string | null): Record<string, string> {
  if (by === 'none') return {};
  const key = keyIn(by);
  const filter =
    key === undefined
      ? ({ assigned_user: 'assigned_user_id', content: 'content_id' }[by] ?? by)
      : `metadata[${key}]`;
  return { [filter]: id ?? 'none' };
}

export const cellsOf = (cells: readonly Cell[], kind: Kind): Cell[] =>
  cells.filter((cell) => cell.kind === kind);

/** What happened in a period, which the cells are of. */
export function toCounts(
  cells: readonly Cell[],
  salesCyclesUrl: (parameters: Record<string, string>) => string,
) {
  const [won, lost] = [cellsOf(cells, 'won'), cellsOf(cells, 'lost')];
  return {
    created: countOf(cellsOf(cells, 'created')),
    contacted: countOf(cellsOf(cells, 'contacted')),
    qualified: countOf(cellsOf(cells, 'qualified')),
    won: countOf(won),
    lost: countOf(lost),
    win_rate: ratio(countOf(won), countOf(won) + countOf(lost)),
    value: closedValue({ won, lost }, salesCyclesUrl),
  } satisfies Partial<Schema<'TimeseriesPoint'>>;
}
