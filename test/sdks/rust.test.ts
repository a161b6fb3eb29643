/** A Rust client, generated from the served document by the commands of docs/sdks.md. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { missing } from '../support/programs.ts';
import { expectOutput, section } from './chapter.ts';
import { expectJourney, type Journeys, prepareJourneys } from './journey.ts';
import { installOpenapiGenerator, tools } from './openapi-generator.ts';
import { execute } from './tools.ts';

const MANIFEST = `[package]
name = "programs"
version = "0.1.0"
edition = "2024"

[dependencies]
lead-pipeline = { path = "client" }
http = "1"
serde = { version = "1", features = ["derive"] }
serde_json = "1"
standardwebhooks = "1"
tokio = { version = "1", features = ["macros", "rt"] }

[profile.dev]
debug = false
`;

let journeys: Journeys;

beforeAll(async () => {
  journeys = await prepareJourneys();
});

afterAll(() => journeys.close());

it('openapi-generator: the client makes the journey', async ({ skip }) => {
  const skipped = missing(...tools, 'cargo');
  if (skipped !== undefined) skip(skipped);
  const generator = await installOpenapiGenerator(journeys.root);
  const folder = join(journeys.root, 'rust');
  const programs = join(folder, 'src/bin');
  await mkdir(programs, { recursive: true });
  const PATH = [generator, process.env.PATH].join(delimiter);
  const { commands, program, output } = section('Rust: openapi-generator', journeys.app);
  await execute(folder, 'sh', ['-ec', commands], { PATH });
  await writeFile(join(folder, 'Cargo.toml'), MANIFEST);
  await writeFile(join(programs, 'ten_lines.rs'), program);
  await cp(join(import.meta.dirname, 'rust/journey.rs'), join(programs, 'journey.rs'));
  await execute(folder, 'cargo', ['build', '--quiet', '--bins']);

  const settings = await journeys.settings('rust');
  const run = (name: string) => execute(folder, join('target/debug', name), [], settings);
  expectOutput(await run('ten_lines'), output);
  expectJourney(await run('journey'));
}, 900_000);
