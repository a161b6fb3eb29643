/** What the chapter about moving shows as won in each month is what the files have. Another test runs its commands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseCsv } from '../support/exports.ts';
import { commandsOf, readPage } from '../support/markdown.ts';

/** Where each product has its deals, and how it says that one was won, when, and for how much. */
const products = {
  'hubspot-deals.csv': {
    ...{ stage: 'Deal Stage', won: 'Closed Won', at: 'Close Date' },
    ...{ currency: 'Currency', amount: 'Amount' },
  },
  'pipedrive-deals.csv': {
    ...{ stage: 'Deal - Status', won: 'Won', at: 'Deal - Won time' },
    ...{ currency: 'Deal - Currency of Value', amount: 'Deal - Value' },
  },
  'salesforce-opportunities.csv': {
    ...{ stage: 'StageName', won: 'Closed Won', at: 'CloseDate' },
    ...{ currency: 'CurrencyIsoCode', amount: 'Amount' },
  },
};

function rowsOf(file: string): Record<string, string>[] {
  const text = readFileSync(join(import.meta.dirname, '../../examples/migrating', file), 'utf8');
  const [names = [], ...lines] = parseCsv(text.replaceAll('\n', '\r\n'));
  return lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

it('the monthly revenue after the move equals that of the files', () => {
  const cents = new Map<string, number>();
  for (const [file, { stage, won, at, currency, amount }] of Object.entries(products)) {
    for (const row of rowsOf(file)) {
      if (row[stage] !== won) continue;
      const key = `${row[at]?.slice(0, 7)} ${row[currency]}`;
      cents.set(key, (cents.get(key) ?? 0) + Math.round(Number(row[amount]) * 100));
    }
  }
  const expected = [...cents].map(([key, sum]) => `${key} ${(sum / 100).toFixed(2)}`).toSorted();
  const past = commandsOf(readPage('docs/migrating.md')).find(({ section }) => section === 'See your past');
  const shown = past?.output.filter((line) => /^\d{4}-\d\d [A-Z]{3} /.test(line));
  expect(expected).toHaveLength(6);
  expect(shown?.toSorted()).toEqual(expected);
});
