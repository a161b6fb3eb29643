import type { Column } from './column.ts';
import { plainName } from './known-names.ts';
import { hasTitleOfAddress, share } from './shapes.ts';

const parts = ['name.first', 'name.middle', 'name.last'];

/**
 * Gives the columns of names their final meaning. `Name` can be the whole name, the last name beside a first name, the first
 * name beside a last name, or a company's name: the rows decide.
 */
export function settleNames(columns: readonly Column[]): void {
  const first = columns.find(({ meaning }) => meaning === 'name.first');
  const last = columns.find(({ meaning }) => meaning === 'name.last');
  const named = [first, last].filter((part) => part !== undefined);
  const hasCompany = columns.some(({ meaning }) => meaning === 'company');
  for (const column of columns.filter(({ meaning }) => meaning === 'name')) {
    // Such as `Contact`, beside a column for the company.
    if (hasCompany && share(column.shapes, 'person') + share(column.shapes, 'word') >= 0.8)
      column.isDoubtful = false;
    if (named.length === 0) continue;
    if (named.some((part) => contains(column, part))) {
      // Such as `Ms. Ada Example`: the parts are better.
      if (named.length === 2 && column.texts.some(hasTitleOfAddress)) column.meaning = 'other name';
      continue;
    }
    column.isDoubtful = false;
    if (share(column.shapes, 'company') >= 0.3) column.meaning = 'company';
    else if (named.length === 1) column.meaning = first === undefined ? 'name.first' : 'name.last';
    // The parts are the name of the same person, and so this is the name of something else: of the company, if no other is.
    else if (sharesRow(column, named)) column.meaning = hasCompany ? 'other name' : 'company';
  }
  keepOneWhole(columns);
  const isNamed = columns.some(({ meaning }) => meaning === 'name.first' || meaning === 'name.last');
  for (const column of columns) if (column.meaning === 'name.middle' && !isNamed) column.meaning = 'other';
}

/** Whether a part of the name is in most whole names. */
function contains(whole: Column, part: Column): boolean {
  let compared = 0;
  let found = 0;
  whole.texts.forEach((text, row) => {
    const other = part.texts[row];
    if (text === undefined || other === undefined) return;
    compared += 1;
    const plain = plainName(text);
    const plainPart = plainName(other);
    if (plain !== plainPart && plain.includes(plainPart)) found += 1;
  });
  return compared > 0 && found >= compared / 2;
}

/** Whether any row has both: the whole name may be there for rows without the parts. */
function sharesRow(whole: Column, others: readonly Column[]): boolean {
  return whole.texts.some(
    (text, row) => text !== undefined && others.some((other) => other.texts[row] !== undefined),
  );
}

/** Of several columns with whole names, the one that looks most like people's names. `Name` may be a company's. */
function keepOneWhole(columns: readonly Column[]): void {
  const whole = columns.filter(({ meaning }) => meaning === 'name');
  const rank = ({ name, known }: Column) => (known?.isAmbiguous ? 2 : plainName(name) === 'name' ? 1 : 0);
  const people = (column: Column) => Math.round(share(column.shapes, 'person') * 10);
  const [best] = whole.toSorted(
    (a, b) => people(b) - people(a) || rank(a) - rank(b) || b.shapes.filled - a.shapes.filled,
  );
  let hasCompany = columns.some(({ meaning }) => meaning === 'company');
  for (const column of whole) {
    if (column === best || best === undefined) continue;
    const isOther = !isSame(column, best);
    const mayBeCompany = share(column.shapes, 'company') >= 0.3 || rank(column) === 2 || !hasCompany;
    column.meaning = mayBeCompany && isOther ? 'company' : 'other name';
    column.isDoubtful = rank(column) === 1 && share(column.shapes, 'company') < 0.3;
    hasCompany ||= column.meaning === 'company';
  }
}

/** Whether most rows that have both say the same. */
function isSame(one: Column, other: Column): boolean {
  const both = one.texts.flatMap((text, row) => {
    const second = other.texts[row];
    return text === undefined || second === undefined ? [] : [plainName(text) === plainName(second)];
  });
  return both.filter((same) => same).length * 2 >= both.length;
}

/** In a file without column names: two columns of single words are a first and a last name. */
export function nameWords(columns: readonly Column[]): void {
  const words = columns.filter(({ meaning }) => meaning === 'word');
  const whole = columns.find(({ meaning }) => meaning === 'name');
  const hasCompany = columns.some(({ meaning }) => meaning === 'company');
  if (whole !== undefined) {
    const others = columns.filter((column) => column.meaning === 'name' && column !== whole);
    const company = hasCompany ? undefined : (others[0] ?? words.find(({ index }) => index > whole.index));
    for (const column of [...words, ...others]) column.meaning = column === company ? 'company' : undefined;
    return;
  }
  const [first, second, ...rest] = words;
  const arePair = first !== undefined && second?.index === first.index + 1;
  for (const column of [...rest, ...(second === undefined ? [] : [second])]) column.meaning = undefined;
  if (first === undefined) return;
  first.meaning = arePair ? 'name.first' : 'name';
  if (arePair) second.meaning = 'name.last';
  const [company] = rest;
  if (company !== undefined && !hasCompany) company.meaning = 'company';
}

/** A column that looks like people's names is the name, if no other column is. */
export function guessName(columns: readonly Column[]): void {
  if (columns.some(({ meaning }) => meaning === 'name' || parts.includes(meaning ?? ''))) return;
  const guess = columns.find(
    (column) =>
      column.meaning === undefined && column.known === undefined && share(column.shapes, 'person') >= 0.8,
  );
  if (guess === undefined) return;
  guess.meaning = 'name';
  guess.isDoubtful = true;
}
