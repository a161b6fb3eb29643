/** A Kotlin client, generated from the served document by the commands of docs/sdks.md. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { missing } from '../support/programs.ts';
import { expectOutput, section } from './chapter.ts';
import { expectJourney, type Journeys, prepareJourneys } from './journey.ts';
import { installOpenapiGenerator, tools } from './openapi-generator.ts';
import { execute } from './tools.ts';

/** The second compiler of the JVM would take longer than it saves: compiling takes 55 seconds of CPU instead of 115. */
const MAVEN_OPTS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

let journeys: Journeys;

beforeAll(async () => {
  journeys = await prepareJourneys();
});

afterAll(() => journeys.close());

it('openapi-generator: the client makes the journey', async ({ skip }) => {
  const skipped = missing(...tools, 'mvn');
  if (skipped !== undefined) skip(skipped);
  const generator = await installOpenapiGenerator(journeys.root);
  const folder = join(journeys.root, 'kotlin');
  const programs = join(folder, 'programs');
  await mkdir(programs, { recursive: true });
  const PATH = [generator, process.env.PATH].join(delimiter);
  const { commands, program, output } = section('Kotlin: openapi-generator', journeys.app);
  await execute(folder, 'sh', ['-ec', commands], { PATH });
  await writeFile(join(programs, 'TenLines.kt'), program);
  await cp(join(import.meta.dirname, 'kotlin/Journey.kt'), join(programs, 'Journey.kt'));
  await cp(join(import.meta.dirname, 'kotlin/pom.xml'), join(folder, 'pom.xml'));
  const goals = ['compile', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
  await execute(folder, 'mvn', ['--quiet', '--batch-mode', ...goals], { MAVEN_OPTS });

  const settings = await journeys.settings('kotlin');
  const run = (main: string) => execute(folder, 'java', ['-cp', 'target/classes:lib/*', main], settings);
  expectOutput(await run('TenLinesKt'), output);
  expectJourney(await run('journey.JourneyKt'));
}, 900_000);
