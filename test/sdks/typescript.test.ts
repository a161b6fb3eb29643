/** The TypeScript client of docs/sdks.md. test/sdk makes longer journeys with this client and others. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { expectOutput, section } from './chapter.ts';
import { type Journeys, prepareJourneys } from './journey.ts';
import { execute } from './tools.ts';

let journeys: Journeys;

beforeAll(async () => {
  journeys = await prepareJourneys();
});

afterAll(() => journeys.close());

it('openapi-typescript and openapi-fetch: the ten lines work', { timeout: 400_000 }, async () => {
  const folder = join(journeys.root, 'typescript');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const { commands, program, output } = section(
    'TypeScript: openapi-typescript and openapi-fetch',
    journeys.app,
  );
  await execute(folder, 'sh', ['-ec', commands]);
  await writeFile(join(folder, 'ten-lines.ts'), program);
  const settings = await journeys.settings('typescript');
  expectOutput(await execute(folder, process.execPath, ['ten-lines.ts'], settings), output);
});
