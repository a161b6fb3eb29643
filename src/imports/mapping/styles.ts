import { setImmediate } from 'node:timers/promises';
import { type AmountStyle, decideAmountStyle } from '../../spellings/amount.ts';
import { readCurrency } from '../../spellings/currency.ts';
import { decideDateOrder } from '../../spellings/date.ts';
import type { DateOrder } from '../../spellings/locale.ts';
import { isBlank } from '../../spellings/text.ts';

/** What a column says about its amounts and dates, where a cell alone does not. */
export interface Style {
  amountStyle?: AmountStyle;
  dateOrder?: DateOrder;
  /** The currency in the column's name, as in `Amount (EUR)`. */
  currency?: string;
}

export type Styles = Readonly<Record<string, Style>>;

/** Columns before other requests get a turn. */
const COLUMNS_PER_TURN = 20;
/** Only such a cell could be read in two ways, or shows how others are meant. */
const SEPARATED = /\d\s?[.,/'’ -]\s?\d/;

/** Maximum columns with a style. A column that is not used now may be mapped later. */
const MAX_STYLES = 200;

/**
 * Decides the style of each column by the file's first rows. It is stored with the import, so that all rows are read in the
 * same way.
 */
export async function decideStyles(
  columns: readonly string[],
  sample: readonly (readonly unknown[])[],
  isUsed: (column: string) => boolean,
): Promise<Styles> {
  const styles: Record<string, Style> = {};
  const all = columns.map((column, index) => ({ column, index }));
  const usedFirst = [
    ...all.filter(({ column }) => isUsed(column)),
    ...all.filter(({ column }) => !isUsed(column)),
  ];
  for (const [turn, { column, index }] of usedFirst.entries()) {
    if (turn % COLUMNS_PER_TURN === COLUMNS_PER_TURN - 1) await setImmediate();
    const texts = sample
      .map((row) => row[index])
      .filter((cell) => typeof cell === 'string' && SEPARATED.test(cell) && !isBlank(cell));
    const amountStyle = decideAmountStyle(texts as string[]);
    const dateOrder = decideDateOrder(texts as string[]);
    const currency = currencyIn(column);
    if (amountStyle === undefined && dateOrder === undefined && currency === undefined) continue;
    styles[column] = {
      ...(amountStyle && { amountStyle }),
      ...(dateOrder && { dateOrder }),
      ...(currency && { currency }),
    };
    if (Object.keys(styles).length >= MAX_STYLES) break;
  }
  return styles;
}

/** The currency in brackets, or at the end of a column's name. */
export function currencyIn(column: string): string | undefined {
  const [, given = ''] = /(?:[([]\s?|\sin\s|\s)([A-Z]{3}|\p{Sc}|US\$)\s?[)\]]?$/u.exec(column) ?? [];
  return given === '' ? undefined : readCurrency(given);
}
