import { unwrap } from '../../spellings/unwrap.ts';
import type { Remark } from '../../table-files/fault.ts';
import { firstCharacters } from '../../values/text.ts';
import { remark } from '../mapping/doubts.ts';

const SHOWN = 60;

interface Sample {
  columns: readonly string[];
  sample: readonly (readonly unknown[])[];
}

/** Says which columns have cells that stand for another text, such as `="0047"` for 0047. */
export function tellUnwrapped({ columns, sample }: Sample): Remark[] {
  return columns.flatMap((column, index) => {
    const cell = sample
      .map((row) => row[index])
      .find((each) => typeof each === 'string' && unwrap(each) !== each);
    if (typeof cell !== 'string') return [];
    const [given, read] = [cell, unwrap(cell)].map((text) => firstCharacters(text, SHOWN));
    const message = `Cells of the column ${column} are read as what they stand for, such as ${given} as ${read}.`;
    return [remark('cells_unwrapped', column, message)];
  });
}
