import { plainName } from '../../spellings/known-names.ts';
import type { Column } from './column.ts';

/** Only such a column may hold a part of the name, or a company's. Any longer name, such as `Full Name`, says more. */
const BARE = new Set('name nom nombre nome naam namn navn nazwa isim ad adi displayname'.split(' '));

/**
 * Gives the columns of names their final meaning, by the columns beside them. `Customer` is a person or a company. `Name` can
 * be the whole name, the last name beside a first name, the first name beside a last name, or a company's name. Where two
 * columns compete, it is a doubt.
 */
export function settleNames(columns: readonly Column[]): void {
  const first = columns.find(({ meaning }) => meaning === 'name.first');
  const last = columns.find(({ meaning }) => meaning === 'name.last');
  const parts = [first, last].filter((part) => part !== undefined);
  settleCustomers(columns, parts);
  const whole = columns.filter(({ meaning }) => meaning === 'name');
  for (const column of whole.filter(isBare)) {
    const [part, other] = parts;
    const isAlone = parts.length === 0 && whole.every((each) => each === column || isBare(each));
    if (isAlone) continue;
    if (part === undefined || other !== undefined) settleBeside(column, columns, parts);
    else if (repeats(column, part)) column.isDoubtful = true;
    else column.meaning = part === first ? 'name.last' : 'name.first';
  }
  for (const column of columns)
    if (column.meaning === 'name.middle' && parts.length === 0) column.meaning = 'other';
}

/** Beside a person's name, a customer is a company. */
function settleCustomers(columns: readonly Column[], parts: readonly Column[]): void {
  for (const column of columns.filter(({ meaning }) => meaning === 'customer')) {
    const hasName = parts.length > 0 || columns.some(({ meaning }) => meaning === 'name');
    column.meaning = hasName && !hasCompany(columns) ? 'company' : 'name';
    column.isDoubtful = !hasName && !hasCompany(columns);
  }
}

/** Of `Name` beside the name of a person. It may be the same name, or a company's. */
function settleBeside(column: Column, columns: readonly Column[], parts: readonly Column[]): void {
  if (parts.some((part) => repeats(column, part))) return;
  column.meaning = hasCompany(columns) ? 'other' : 'company';
  column.isDoubtful = !columns.some(({ meaning, known }) => meaning === 'name' && known?.isUnclear === false);
}

function hasCompany(columns: readonly Column[]): boolean {
  return columns.some(({ meaning }) => meaning === 'company');
}

function isBare({ name }: Column): boolean {
  return BARE.has(plainName(name));
}

/** Whether any cell contains what is in the other column. */
function repeats(column: Column, { texts }: Column): boolean {
  return column.texts.some((text, row) => {
    const other = texts[row];
    return text !== undefined && other !== undefined && plainName(text).includes(plainName(other));
  });
}
