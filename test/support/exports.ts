/** Reads exports. */
import type { TestClient } from './client.ts';

/** The application name of the connections that exports hold. */
const HOLDERS = "application_name = 'lead-pipeline-api snapshot'";

export const holding = `select from pg_stat_activity where datname = current_database() and ${HOLDERS}`;
export const endHolders = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${HOLDERS}`;

export function fetchExport(
  { baseUrl, headers }: TestClient,
  path: string,
  accept = 'text/csv',
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(baseUrl + path, { headers: { ...headers, Accept: accept }, ...(signal && { signal }) });
}

/** The rows of an export as NDJSON. */
export async function exportRows<Row>(client: TestClient, path: string): Promise<Row[]> {
  const response = await fetchExport(client, path, 'application/x-ndjson');
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const lines = (await response.text()).split('\n');
  if (lines.pop() !== '') throw new Error('The last line has no line end.');
  return lines.map((line) => JSON.parse(line));
}

/** The rows of a CSV export, read as its description says. Only the documented apostrophes are removed. */
export function readCsv(text: string): Record<string, unknown>[] {
  const [fields = [], ...lines] = parseCsv(text);
  return lines.map((line) => {
    const row = Object.fromEntries(line.map((cell, index) => toField(fields[index] ?? '', cell)));
    const { 'value.amount': amount, 'value.currency': currency, ...others } = row;
    const {
      'sales_cycle.id': id,
      'sales_cycle.number': number,
      'sales_cycle.opened_at': opened_at,
      ...rest
    } = others;
    return {
      ...rest,
      ...('value.amount' in row && { value: amount === null ? null : { amount, currency } }),
      ...('sales_cycle.id' in row && { sales_cycle: { id, number, opened_at } }),
    };
  });
}

function toField(field: string, cell: string): [string, unknown] {
  if (field === 'other_emails') return [field, cell.split('; ').filter(Boolean)];
  if (cell === '') return [field, null];
  if (field === 'tags' || field === 'metadata') return [field, JSON.parse(cell)];
  if (/^(version|sales_cycles_won|sales_cycle\.number)$/.test(field)) return [field, Number(cell)];
  return [field, cell.replace(/^'('*[=+\-@\t\r\n＝＋－＠])/, '$1')];
}

/** The cells of each line (RFC 4180). */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (found === null) throw new Error(`This is not CSV: ${text.slice(cell.lastIndex, 100)}`);
    const [, quoted, bare = '', end] = found;
    line.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}
