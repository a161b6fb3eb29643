/** Imports the files of test/cases. */
import { readFileSync } from 'node:fs';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { errorsOf, type Import, readImport, send } from './imports.ts';
import { runJobs } from './jobs.ts';

interface Person {
  name: string;
  email: string;
  [field: string]: unknown;
}

interface Done extends Import {
  /** What the file gave, by name. */
  people: Record<string, Person>;
  /** The columns with a warning, by row. */
  warned: Record<number, (string | null)[]>;
  /** The rows that failed. */
  rejected: number[];
}

/** Imports a case. A draft, which waits for a person to look at it, is started. */
export async function importCase(
  { production }: Pick<TestApp, 'production'>,
  client: TestClient,
  file: string,
  query = '',
  changes?: object,
): Promise<Done> {
  const bytes = readCase(file);
  const { id, status } = await send(client, bytes, query, changes);
  if (status === 'draft') await client.post(`/imports/${id}/start`, {}).expect(202);
  await runJobs(production);
  const resource = query.includes('resource=contacts') ? 'contacts' : 'leads';
  const { body } = await client.get(`/${resource}?per_page=100`).expect(200);
  const results = await errorsOf(client, id);
  const warnings = results.filter(({ severity }) => severity === 'warning');
  return {
    ...(await readImport(client, id)),
    people: Object.fromEntries(body.data.map((person: Person) => [person.name, person])),
    warned: Object.fromEntries(
      warnings.map(({ row }) => [
        row,
        warnings.filter((each) => each.row === row).map(({ column }) => column),
      ]),
    ),
    rejected: [...new Set(results.filter(({ severity }) => severity === 'error').map(({ row }) => row))],
  };
}

export function readCase(file: string): Buffer {
  return readFileSync(new URL(`../cases/${file}`, import.meta.url));
}

/** The columns that no field is filled from. */
export const unusedIn = ({ unused_columns }: Import) => unused_columns.map(({ column }) => column);
