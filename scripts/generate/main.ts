/**
 * Generates generated/ from openapi/, and the tables of docs/errors.md, docs/limits.md and
 * docs/dependencies.md from the contract and the code. With --check, writes nothing, and exits with code 1 if a file is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { renderDependenciesPage } from '../dependencies-page.ts';
import { renderErrorsPage } from '../errors-page.ts';
import { renderLimitsPage } from '../limits-page.ts';
import { agentToolsSource } from './agent-tools-source.ts';
import { bundledDocument } from './bundled-document.ts';
import { errorCodesSource } from './error-codes.ts';
import { eventTypesSource } from './event-types-source.ts';
import { guidesSource } from './guides-source.ts';
import { inlineSchemas } from './inline-schemas.ts';
import { limitsSource } from './limits-source.ts';
import { operationsSource } from './operations-source.ts';
import { publicSources } from './served/public-sources.ts';
import { typesSource } from './types-source.ts';

const root = new URL('../../', import.meta.url);
const notice = '// Generated from openapi/ by `npm run generate`. Do not edit.\n\n';

try {
  await main(process.argv.includes('--check'));
} catch (error) {
  console.error(`npm run generate: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function main(checkOnly: boolean): Promise<void> {
  const contract = await bundledDocument();
  const document = inlineSchemas(contract);
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const sources: Record<string, string> = {
    'generated/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    // The code may name every schema that openapi/ names.
    'generated/api.ts': notice + (await typesSource(JSON.stringify(contract))),
    'generated/operations.ts': notice + operationsSource(document),
    'generated/agent-tools.ts': notice + agentToolsSource(document),
    'generated/error-codes.ts': notice + errorCodesSource(document),
    'generated/event-types.ts': notice + eventTypesSource(document),
    'generated/guides.ts': guidesSource(readme),
    'generated/limits.ts': notice + limitsSource(contract),
    ...publicSources(document, readme),
    'docs/dependencies.md': renderDependenciesPage(
      await readFile(new URL('docs/dependencies.md', root), 'utf8'),
    ),
    'docs/limits.md': renderLimitsPage(await readFile(new URL('docs/limits.md', root), 'utf8')),
    'docs/errors.md': renderErrorsPage(
      await readFile(new URL('docs/errors.md', root), 'utf8'),
      document['x-error-codes'],
    ),
  };
  for (const [file, source] of Object.entries(sources)) {
    const url = new URL(file, root);
    if (!checkOnly) {
      await writeFile(url, source);
    } else if ((await readFile(url, 'utf8').catch(() => '')) !== source) {
      console.error(`${file} is out of date. Run: npm run generate`);
      process.exitCode = 1;
    }
  }
}
