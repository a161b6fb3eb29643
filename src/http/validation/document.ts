import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from './contract.ts';

/** The contract, as `npm run generate` bundles it. */
export async function readDocument(): Promise<Document> {
  return JSON.parse(await readFile(join(import.meta.dirname, '../../../generated/openapi.json'), 'utf8'));
}
