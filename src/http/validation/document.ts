import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';

export type Document = OpenAPI.Document;

/** The contract, as `npm run generate` bundles it. */
export async function readDocument(): Promise<Document> {
  return JSON.parse(await readFile(join(import.meta.dirname, '../../../generated/openapi.json'), 'utf8'));
}
