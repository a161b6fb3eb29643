/** A Java client, generated from the served document and compiled by the commands of docs/sdks.md. */
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { missing } from '../support/programs.ts';
import { expectOutput, section } from './chapter.ts';
import { expectJourney, type Journeys, prepareJourneys } from './journey.ts';
import { installOpenapiGenerator, tools } from './openapi-generator.ts';
import { execute } from './tools.ts';

const WEBHOOKS = 'com.standardwebhooks:standardwebhooks:1.1.1';

let journeys: Journeys;

beforeAll(async () => {
  journeys = await prepareJourneys();
});

afterAll(() => journeys.close());

it('openapi-generator: the client makes the journey', async ({ skip }) => {
  const skipped = missing(...tools, 'mvn');
  if (skipped !== undefined) skip(skipped);
  const generator = await installOpenapiGenerator(journeys.root);
  const folder = join(journeys.root, 'java');
  await mkdir(folder);
  const PATH = [generator, process.env.PATH].join(delimiter);
  const { commands, program, output } = section('Java: openapi-generator', journeys.app);
  await execute(folder, 'sh', ['-ec', commands], { PATH });
  const copy = ['dependency:copy', `-Dartifact=${WEBHOOKS}`, '-DoutputDirectory=client/target/lib'];
  await execute(folder, 'mvn', ['--quiet', '--batch-mode', ...copy]);

  const settings = await journeys.settings('java');
  const run = (file: string) =>
    execute(folder, 'java', ['-cp', 'client/target/*:client/target/lib/*', file], settings);
  await writeFile(join(folder, 'TenLines.java'), program);
  expectOutput(await run('TenLines.java'), output);
  expectJourney(await run(join(import.meta.dirname, 'java/Journey.java')));
}, 900_000);
