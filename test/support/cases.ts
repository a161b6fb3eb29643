import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** The rows of a CSV file in test/cases. */
export function readCases(name: string, delimiter = ','): Record<string, string>[] {
  const file = readFileSync(new URL(`../cases/${name}`, import.meta.url), 'utf8');
  return parse(file, { columns: true, delimiter });
}
