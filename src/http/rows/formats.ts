import { ExactNumber, toPlainText } from '../../values/exact-json.ts';
import { columnsWith, only } from '../lists/fields.ts';

/** How rows are written as text. */
interface RowFormat {
  /** The Content-Type header. */
  contentType: string;
  extension: string;
  /** Text before the first row. */
  head(columns: readonly string[]): string;
  line(row: object, columns: readonly string[]): string;
}

/** The value of a field or of its member, such as `value.amount`. A column of a file may have a point in its name. */
function valueAt(row: object, field: string): unknown {
  if (Object.hasOwn(row, field)) return row[field as keyof typeof row];
  const point = field.indexOf('.');
  if (point === -1) return row[field as keyof typeof row];
  const outer: object | null = row[field.slice(0, point) as keyof typeof row];
  return outer === null ? null : outer[field.slice(point + 1) as keyof typeof outer];
}

const csv: RowFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  head: (columns) => `${columns.join(',')}\r\n`,
  line(row, columns) {
    const cells = columns.map((column) => {
      const value = valueAt(row, column);
      return csvCell(column === 'other_emails' && Array.isArray(value) ? value.join('; ') : value);
    });
    return `${cells.join(',')}\r\n`;
  },
};

const ndjson: RowFormat = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',
  head: () => '',
  line: (row) => `${JSON.stringify(row)}\n`,
};

/** By media type. */
export const rowFormats = { 'text/csv': csv, 'application/x-ndjson': ndjson };

/**
 * Text that spreadsheets interpret as a formula (https://owasp.org/www-community/attacks/CSV_Injection). Includes leading
 * apostrophes, so that removing one always restores the value.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const SPECIAL = /[",\r\n\t;]/;

/** A cell in CSV (RFC 4180): empty for null, JSON for a list or an object. */
function csvCell(value: unknown): string {
  if (value === null) return '';
  const text = textOf(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function textOf(value: unknown): string {
  if (value instanceof ExactNumber) return toPlainText(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

interface RowText {
  columns: readonly string[];
  check(row: unknown): void;
  /** The only fields that the client wants. */
  fields?: readonly string[] | undefined;
}

/** The rows as text, one chunk per batch. */
export async function* toText(
  batches: AsyncIterable<object[]>,
  { head, line }: RowFormat,
  { columns: all, check, fields }: RowText,
): AsyncGenerator<string> {
  const columns = fields === undefined ? all : columnsWith(all, fields);
  let text = head(columns);
  for await (const rows of batches) {
    for (const row of rows) {
      check(row);
      text += line(fields === undefined ? row : only(row, fields), columns);
    }
    yield text;
    text = '';
  }
  // There were no rows.
  if (text !== '') yield text;
}
