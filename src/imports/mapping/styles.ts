import { type AmountStyle, decideAmountStyle } from '../../spellings/amount.ts';
import { decideDateOrder } from '../../spellings/date.ts';
import type { DateOrder } from '../../spellings/locale.ts';
import { isBlank } from '../../spellings/text.ts';

/** How a column writes amounts and dates, for cells that could be read in two ways. */
export interface Style {
  amountStyle?: AmountStyle;
  dateOrder?: DateOrder;
}

export type Styles = Readonly<Record<string, Style>>;

/** Maximum columns with a style. Only a mapped column needs one. */
const MAX_STYLES = 200;

/**
 * Decides the style of each column by the file's first rows. It is stored with the import, so that all rows are read in the
 * same way.
 */
export function decideStyles(columns: readonly string[], sample: readonly (readonly unknown[])[]): Styles {
  const styles: Record<string, Style> = {};
  for (const [index, column] of columns.entries()) {
    const texts = sample
      .map((row) => row[index])
      .filter((cell) => typeof cell === 'string' && /\d/.test(cell) && !isBlank(cell));
    const amountStyle = decideAmountStyle(texts as string[]);
    const dateOrder = decideDateOrder(texts as string[]);
    if (amountStyle === undefined && dateOrder === undefined) continue;
    styles[column] = { ...(amountStyle && { amountStyle }), ...(dateOrder && { dateOrder }) };
    if (Object.keys(styles).length >= MAX_STYLES) break;
  }
  return styles;
}
