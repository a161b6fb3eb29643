import type { ContactRow } from '../../contacts/tables.ts';
import { columnOf } from '../../leads/past-times.ts';
import type { LeadRow } from '../../leads/tables.ts';
import type { NoteRow } from '../../notes/tables.ts';
import { Problem } from '../../problem.ts';
import { MINUTE } from '../../values/time.ts';
import { isPastTime } from '../mapping/fields.ts';
import type { RowWarning } from '../mapping/map-row.ts';
import type { ImportOptions } from '../tables.ts';
import type { Item } from './check-bodies.ts';
import type { Tried } from './write-rows.ts';

/** Warnings about times of the past in rows about leads, contacts and notes that already existed, by the index of the row. */
export function pastOfExisting(
  { resource, on_duplicate }: Pick<ImportOptions, 'resource' | 'on_duplicate'>,
  items: readonly Item[],
  outcomes: readonly Tried[],
): [index: number, Omit<RowWarning, 'column'>][] {
  if (on_duplicate === 'ignore' || resource === 'users' || resource === 'content') return [];
  return items.flatMap((item, index) => {
    const outcome = outcomes[index];
    // A deal has times of its own.
    if (item instanceof Problem || 'deal_id' in item || outcome === undefined || outcome.status === 'created')
      return [];
    if (!('row' in outcome)) return [];
    const row = outcome.row as Row;
    const left = Object.entries(item).filter(
      ([field, time]) => isPastTime(resource, field) && !isSame(String(time), ownTime(row, field)),
    );
    return left.map(([field]): [number, Omit<RowWarning, 'column'>] => [
      index,
      { field, message: `Times of the past are only for new ${resource}, so this one was left out.` },
    ]);
  });
}

type Row = LeadRow | ContactRow | NoteRow;

function ownTime(row: Row, field: string): string | null {
  const column = Object.hasOwn(columnOf, field) ? columnOf[field as keyof typeof columnOf] : undefined;
  return column === undefined ? null : (row as LeadRow)[column];
}

/** Spreadsheets drop seconds. */
function isSame(given: string, own: string | null): boolean {
  return own !== null && Math.abs(Date.parse(given) - Date.parse(own)) < MINUTE;
}
