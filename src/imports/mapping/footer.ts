import type { Remark } from '../../table-files/fault.ts';
import type { Footer } from '../../table-files/table.ts';
import { firstCharacters } from '../../values/text.ts';

const SHOWN = 60;

/** The doubt whether rows at the end of a file are a footer, or leads that it would lose. */
export function footerDoubt({ row, last, text }: Footer): Remark {
  const rows = row === last ? `Row ${row} looks` : `Rows ${row} to ${last} look`;
  const message =
    `${rows} like a footer below the table: ${firstCharacters(text, SHOWN)}. To leave this out, start the import with ` +
    'accept_doubts footer. Without it, these rows are imported like all others.';
  return { code: 'footer', column: null, row, message };
}

/** What is told of a footer that was left out, as the client has said. */
export function footerWarning(row: number, last: number): Remark {
  const rows = row === last ? `Row ${row} was` : `Rows ${row} to ${last} were`;
  const message = `${rows} not imported: this is a footer below the table.`;
  return { code: 'footer_skipped', column: null, row, message };
}
