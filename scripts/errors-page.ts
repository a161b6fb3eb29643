import { STATUS_CODES } from 'node:http';
import { transientFailures } from '../src/db/errors.ts';
import { problemCodes } from '../src/problem-codes.ts';
import { fillTables, table } from './tables.ts';

/** Fills the page's tables from the error codes in the source. */
export function renderErrorsPage(page: string): string {
  return fillTables('docs/errors.md', page, { codes: codesTable(), sqlstates: sqlStatesTable() });
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
  const rows = transientFailures.map(({ prefix, meaning, message }) => [
    `\`${prefix}${prefix.length < 5 ? '…' : ''}\``,
    meaning,
    message,
  ]);
  return table(['SQLSTATE or system error', 'meaning', '`message` of the answer'], rows);
}
