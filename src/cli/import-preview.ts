import type { Schema } from '../operation.ts';
import { ask, canAsk } from './ask.ts';

type Import = Schema<'Import'>;

/** Unused columns and remarks that are shown; a file may have thousands. */
const MAX_SHOWN = 50;

/** Shows how the file will be imported, before it is. On stderr, since the report goes to stdout. */
export function showPreview(file: string, draft: Import): void {
  const { mapping, unused_columns, warnings, doubts, rows_total, format, charset } = draft;
  const used = Object.entries(mapping).filter((entry): entry is [string, string] => entry[1] !== null);
  const width = Math.max(0, ...used.map(([column]) => printable(column).length));
  const kind = [format.toUpperCase(), charset].filter((part) => part !== null).join(' in ');
  const lines = [
    `${printable(file)}: ${kind}, ${rows_total === 1 ? '1 row' : `${rows_total.toLocaleString('en')} rows`}`,
    ...section(
      'Columns and the fields that they fill:',
      used.map(([column, field]) => `${printable(column).padEnd(width)}  ${field}`),
    ),
    ...section(
      'Columns that are not used:',
      unused_columns.map(({ column, hint }) => printable(hint === null ? column : `${column}: ${hint}`)),
    ),
    ...section('Warnings:', warnings.map(remark)),
    ...section('Doubts:', doubts.map(remark)),
  ];
  process.stderr.write(`${lines.join('\n')}\n\n`);
}

/** Asks whether to import in spite of the doubts. Without a terminal, nobody can answer, and the answer is no. */
export async function decide(): Promise<boolean> {
  return canAsk() && /^\s*y(es)?\s*$/i.test(await ask('Import it in spite of these doubts? [y/N] '));
}

/** Shows why rows have failed. */
export function showFailures({ failures }: Import): void {
  const lines = section(
    'Rows failed because of:',
    failures.map(({ code, field, rows }) =>
      printable(`${field ?? 'the whole row'} (${code}): ${rows.toLocaleString('en')}`),
    ),
  );
  if (lines.length > 0) process.stderr.write(`${lines.join('\n').trimStart()}\n\n`);
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MAX_SHOWN;
  const shown = lines.slice(0, MAX_SHOWN).map((line) => `  ${line}`);
  return ['', title, ...shown, ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : [])];
}

function remark({ row, column, message }: Schema<'ImportRemark'>): string {
  const places = [row !== null && `row ${row}`, column !== null && `column ${column}`].filter(Boolean);
  return printable(places.length === 0 ? message : `${message} (${places.join(', ')})`);
}

/** A file could otherwise send commands to the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
}
