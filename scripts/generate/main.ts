/**
 * Generates generated/ from openapi/, docs/ and the changelog, and the tables of docs/errors.md and docs/dependencies.md from
 * the code. With --check, writes nothing, and exits with code 1 if a file is out of date.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import type { Document } from '../../src/http/validation/document.ts';
import { toPostmanCollection } from '../../src/pages/postman-collection.ts';
import { toServedDocument } from '../../src/pages/served-document.ts';
import { renderDependenciesPage } from '../dependencies-page.ts';
import { renderErrorsPage } from '../errors-page.ts';
import { bundledDocument } from './bundled-document.ts';
import { eventTypesSource } from './event-types-source.ts';
import { guidesFiles } from './guides/guides.ts';
import { limitsSource } from './limits-source.ts';
import { operationsSource } from './operations-source.ts';
import { typesSource } from './types-source.ts';

const root = new URL('../../', import.meta.url);
const notice = '// Generated from openapi/ by `npm run generate`. Do not edit.\n\n';
const GUIDES = 'generated/guides/';
const LOCAL_ORIGIN = 'http://127.0.0.1:3000';

try {
  await main(process.argv.includes('--check'));
} catch (error) {
  console.error(`npm run generate: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function main(checkOnly: boolean): Promise<void> {
  const document = await bundledDocument();
  const json = `${JSON.stringify(document, null, 2)}\n`;
  const sources: Record<string, string> = {
    'generated/openapi.json': json,
    'generated/api.ts': notice + (await typesSource(json)),
    'generated/operations.ts': notice + operationsSource(document),
    'generated/event-types.ts': notice + eventTypesSource(document),
    'generated/limits.ts': notice + limitsSource(document),
    'generated/postman-collection.json': postmanSource(document),
    'docs/dependencies.md': renderDependenciesPage(
      await readFile(new URL('docs/dependencies.md', root), 'utf8'),
    ),
    'docs/errors.md': renderErrorsPage(await readFile(new URL('docs/errors.md', root), 'utf8')),
  };
  Object.assign(sources, await guidesFiles(document, sources));
  await mkdir(new URL(GUIDES, root), { recursive: true });
  for (const [file, source] of Object.entries(sources)) {
    const url = new URL(file, root);
    if (!checkOnly) {
      await writeFile(url, source);
    } else if ((await readFile(url, 'utf8').catch(() => '')) !== source) {
      console.error(`${file} is out of date. Run: npm run generate`);
      process.exitCode = 1;
    }
  }
  for (const name of await readdir(new URL(GUIDES, root))) {
    const file = GUIDES + name;
    if (file in sources) continue;
    if (!checkOnly) {
      await rm(new URL(file, root));
    } else {
      console.error(`${file} belongs to no chapter any more. Run: npm run generate`);
      process.exitCode = 1;
    }
  }
}

/** The base URL for a local service. A running service serves its own collection at /postman-collection.json. */
function postmanSource(document: OpenAPI.Document): string {
  const served = toServedDocument(document as Document, LOCAL_ORIGIN);
  return `${JSON.stringify(toPostmanCollection(served), null, 2)}\n`;
}
