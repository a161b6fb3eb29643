import { STATUS_CODES } from 'node:http';
import { transientFailures } from '../src/db/errors.ts';
import type { ErrorCode } from './generate/error-codes.ts';
import { fillTables, table } from './tables.ts';

type NamedCode = ErrorCode & { code: string };

/** Fills the page's tables from the contract's error codes, and from the source. */
export function renderErrorsPage(page: string, codes: Record<string, ErrorCode> = {}): string {
  const named = Object.entries(codes).map(([code, described]) => ({ code, ...described }));
  return fillTables('docs/errors.md', page, { codes: codesTables(named), sqlstates: sqlStatesTable() });
}

/** A section for each status, so that people can link to it, and find it by its number. */
function codesTables(codes: NamedCode[]): string {
  const sections = Map.groupBy(codes, ({ status }) => status);
  return [...sections].map(([status, problems]) => statusSection(status, problems)).join('\n');
}

function statusSection(status: number, problems: NamedCode[]): string {
  const rows = problems.map(({ code, cause, remedy }) => [`\`${code}\``, cause, remedy]);
  return `### ${status} ${STATUS_CODES[status]}\n\n${table(['`code`', 'cause', 'what to do'], rows)}`;
}

function sqlStatesTable(): string {
  const rows = transientFailures.map(({ prefix, meaning, message }) => [
    `\`${prefix}${prefix.length < 5 ? '…' : ''}\``,
    meaning,
    message,
  ]);
  return table(['SQLSTATE or system error', 'meaning', '`message` of the answer'], rows);
}
