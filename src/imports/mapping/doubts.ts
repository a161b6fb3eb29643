import type { Schema } from '../../operation.ts';
import { decideAmountStyle } from '../../spellings/amount.ts';
import { readStatus } from '../../spellings/choice.ts';
import { readCurrency } from '../../spellings/currency.ts';
import { decideDateOrder, readDate } from '../../spellings/date.ts';
import { readGivenAmount } from '../../spellings/given-amount.ts';
import { keyOf } from '../../spellings/text.ts';
import type { Remark } from '../../table-files/fault.ts';
import { firstCharacters } from '../../values/text.ts';
import type { ImportOptions } from '../tables.ts';
import type { Column } from './column.ts';
import { isDerived } from './mapping.ts';
import { currencyIn } from './styles.ts';

const MAX_MESSAGE = 500;
/** Rows with another system's status that are worth a question. In a small file, you see them at a glance. */
const MANY_STATUSES = 10;
const SHOWN_STATUSES = 5;

type Options = Pick<ImportOptions, 'match' | 'on_duplicate' | 'defaults' | 'values' | 'locale'>;

interface Proposed {
  resource: Schema<'ImportResource'>;
  columns: readonly Column[];
  /** Those that no client has decided about. */
  free: readonly Column[];
  mapping: Schema<'ImportMapping'>;
  /** The cells of the first rows. */
  sample: readonly (readonly unknown[])[];
  hasHeader: boolean;
  isOwnExport: boolean;
  options: Options;
}

/** Doubts about the file itself, which no mapping answers. */
export function isOfFile({ code }: Pick<Remark, 'code'>): boolean {
  return code === 'footer' || code === 'formulas_without_results';
}

/** What the column names and the cells leave open. */
export function doubtsOf(proposed: Proposed): Remark[] {
  const { columns, free, mapping, hasHeader } = proposed;
  const doubts: Remark[] = [];
  const isGuessed = free.length === columns.length || free.some(({ name }) => mapping[name]);
  if (!hasHeader && isGuessed) {
    doubts.push(
      remark(
        'no_header',
        null,
        'No line with column names was found. The mapping was guessed from the cells: check it.',
      ),
    );
  }
  doubts.push(...missing(proposed), ...ambiguous(proposed));
  for (const column of columns) {
    const field = mapping[column.name];
    if (field === 'status') doubts.push(...unknownStatuses(column, proposed.options));
    if (proposed.isOwnExport) continue;
    if (field === 'value.amount' || field === 'value') doubts.push(...unclearAmounts(column, proposed));
    if (field === 'expected_close_on') doubts.push(...unclearDates(column, proposed.options));
  }
  doubts.push(...missingCurrency(proposed));
  return doubts;
}

function cellsOf({ index }: Column, { sample }: Proposed): unknown[] {
  return sample.map((row) => row[index]);
}

export function remark(code: string, column: string | null, message: string): Remark {
  return { code, column, row: null, message: firstCharacters(message, MAX_MESSAGE) };
}

const required: Record<Schema<'ImportResource'>, readonly string[]> = {
  leads: ['name', 'email'],
  contacts: ['name'],
  users: ['name', 'email'],
  content: ['title'],
  notes: ['text'],
};

function missing({ resource, mapping, options: { on_duplicate, match, defaults } }: Proposed): Remark[] {
  const fields = [...Object.values(mapping), ...Object.keys(defaults)];
  const has = (name: string) => fields.some((field) => field === name || field?.startsWith(`${name}.`));
  // Rows that change existing leads need only the field that finds them.
  const mayUpdate = on_duplicate === 'merge' || on_duplicate === 'update';
  const isMatched = on_duplicate !== 'reject' && !isDerived(resource);
  const needed = [...(isMatched && mayUpdate ? [] : required[resource]), ...(isMatched ? [match] : [])];
  return [...new Set(needed)]
    .filter((field) => !has(field))
    .map((field) =>
      remark(`no_${field}`, null, `No column was recognized as the ${field}. Map one to ${field}.`),
    );
}

function ambiguous({ free, mapping }: Proposed): Remark[] {
  return free
    .filter(({ name, isDoubtful }) => isDoubtful && mapping[name])
    .map(({ name }) =>
      remark(
        'ambiguous_column',
        name,
        `The column ${name} could be something else than the ${mapping[name]}. Check it, or map it to another field.`,
      ),
    );
}

function unknownStatuses({ name, texts }: Column, { values }: Options): Remark[] {
  const translated = new Set(Object.keys(values.status ?? {}).map(keyOf));
  const filled = texts.filter((text) => text !== undefined);
  const unknown = filled.filter(
    (text) => !translated.has(keyOf(text)) && readStatus(text).value === undefined,
  );
  const distinct = [...new Set(unknown)];
  if (unknown.length < MANY_STATUSES || unknown.length < filled.length / 2 || distinct.length < 2) return [];
  const shown = distinct.slice(0, SHOWN_STATUSES).map((text) => firstCharacters(text, 40));
  const more = distinct.length > SHOWN_STATUSES ? ' and others' : '';
  return [
    remark(
      'unknown_status',
      name,
      `Most statuses are not those of this service: ${shown.join(', ')}${more}. Translate them with values, or leads without a known status become new.`,
    ),
  ];
}

function unclearAmounts(column: Column, proposed: Proposed): Remark[] {
  const cells = cellsOf(column, proposed);
  const { columns, mapping, options } = proposed;
  const filled = cells.filter((cell) => typeof cell === 'string');
  if (decideAmountStyle(filled) !== undefined || options.locale) return [];
  const currencies = columns.find(({ name }) => mapping[name] === 'value.currency');
  const currencyAt = (row: number) =>
    readCurrency(currencies?.texts[row] ?? options.defaults['value.currency'] ?? '') ??
    currencyIn(column.name);
  const unclear = cells.find((value, row) => {
    if (typeof value !== 'string') return false;
    const { warning = '' } = readGivenAmount({ value }, undefined, currencyAt(row));
    return /clear/.test(warning);
  });
  if (typeof unclear !== 'string') return [];
  return [
    remark(
      'ambiguous_amounts',
      column.name,
      `The amounts don't show which sign separates decimals: ${firstCharacters(unclear, 40)}. Say which locale they are in, such as de or en.`,
    ),
  ];
}

function unclearDates({ name, texts }: Column, { locale }: Options): Remark[] {
  const filled = texts.filter((text) => text !== undefined);
  const order = decideDateOrder(filled);
  if (order !== undefined || locale) return [];
  const unclear = filled.find((text) => /clear/.test(readDate(text).warning ?? ''));
  if (unclear === undefined) return [];
  return [
    remark(
      'ambiguous_dates',
      name,
      `The dates don't show whether the day or the month comes first: ${firstCharacters(unclear, 40)}. Say which locale they are in, such as en-GB or en-US.`,
    ),
  ];
}

/** Amounts without a currency are left out. */
function missingCurrency(proposed: Proposed): Remark[] {
  const { columns, mapping, options } = proposed;
  const { defaults } = options;
  if (Object.values(mapping).includes('value.currency') || defaults['value.currency'] !== undefined)
    return [];
  const amounts = columns.find(
    ({ name }) => mapping[name] === 'value.amount' && currencyIn(name) === undefined,
  );
  if (amounts === undefined || amounts.shapes.filled === 0) return [];
  if (cellsOf(amounts, proposed).some((value) => readGivenAmount({ value }).currency !== undefined))
    return [];
  return [
    remark(
      'no_currency',
      amounts.name,
      'The amounts have no currency, and would be left out. Give one with defaults, such as {"value.currency": "EUR"}.',
    ),
  ];
}
