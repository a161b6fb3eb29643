/** A Go client, generated from the served document by the commands of docs/sdks.md. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { missing } from '../support/programs.ts';
import { expectOutput, section } from './chapter.ts';
import { expectJourney, type Journeys, prepareJourneys } from './journey.ts';
import { execute } from './tools.ts';

const WEBHOOKS = 'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1';

let journeys: Journeys;

beforeAll(async () => {
  journeys = await prepareJourneys();
});

afterAll(() => journeys.close());

it('oapi-codegen: the client makes the journey', async ({ skip }) => {
  const skipped = missing('go');
  if (skipped !== undefined) skip(skipped);
  const folder = join(journeys.root, 'go');
  await mkdir(join(folder, 'journey'), { recursive: true });
  const { commands, program, output } = section('Go: oapi-codegen', journeys.app);
  await execute(folder, 'sh', ['-ec', commands]);
  await writeFile(join(folder, 'main.go'), program);
  await cp(join(import.meta.dirname, 'go/journey.go'), join(folder, 'journey/main.go'));
  await execute(folder, 'go', ['get', WEBHOOKS]);
  await execute(folder, 'go', ['build', '-o', 'bin/', '.', './journey']);

  const settings = await journeys.settings('go');
  expectOutput(await execute(folder, 'bin/try', [], settings), output);
  expectJourney(await execute(folder, 'bin/journey', [], settings));
}, 900_000);
