import { STATUS_CODES } from 'node:http';
import { transientFailures } from '../src/db/errors.ts';
import { problemCodes } from '../src/http/errors/problem-codes.ts';

/** Puts the code's own tables of errors into docs/errors.md, between the comments that mark their places. */
export function renderErrorsPage(page: string): string {
  const tables = { codes: codesTable(), sqlstates: sqlStatesTable() };
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name}: .* -->\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
    if (!place.test(text)) throw new Error(`docs/errors.md has no place for the table "${name}"`);
    return text.replace(place, (_, begin, end) => `${begin}\n${table}\n${end}`);
  }, page);
}

function codesTable(): string {
  const rows = Object.entries(problemCodes).map(([code, { status, cause, remedy }]) => [
    `${status} ${STATUS_CODES[status]}`,
    `\`${code}\``,
    cause,
    remedy,
  ]);
  return table(['status', '`code`', 'cause', 'what to do'], rows);
}

function sqlStatesTable(): string {
  const rows = transientFailures.map(({ prefix, meaning }) => [
    `\`${prefix}${prefix.length < 5 ? '…' : ''}\``,
    meaning,
  ]);
  return table(['SQLSTATE or system error', 'meaning'], rows);
}

function table(header: string[], rows: string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
