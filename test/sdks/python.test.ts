/** Python clients, generated from the served documents by the commands of docs/sdks.md. */
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { missing } from '../support/programs.ts';
import { expectOutput, section } from './chapter.ts';
import { expectJourney, type Journeys, prepareJourneys } from './journey.ts';
import { createVenv, installOpenapiGenerator, tools } from './openapi-generator.ts';
import { execute } from './tools.ts';

const PACKAGES = ['standardwebhooks==1.1.0', 'mypy==2.4.1'];

let journeys: Journeys;

beforeAll(async () => {
  journeys = await prepareJourneys();
});

afterAll(() => journeys.close());

const programs = {
  'openapi-python-client': {
    skipped: missing('python3'),
    install: () =>
      createVenv(join(journeys.root, 'openapi-python-client'), ['openapi-python-client==0.29.1']),
  },
  'openapi-generator': {
    skipped: missing(...tools),
    install: () => installOpenapiGenerator(journeys.root),
  },
};

it.for(Object.entries(programs))(
  '%s: the client makes the journey, and is typed',
  { timeout: 400_000 },
  async ([name, { skipped, install }], { skip }) => {
    if (skipped !== undefined) skip(skipped);
    const generator = await install();
    const folder = join(journeys.root, `python-${name}`);
    await mkdir(folder);
    const bin = await createVenv(join(folder, 'venv'), PACKAGES);
    const PATH = [bin, generator, process.env.PATH].join(delimiter);
    const { commands, program, output } = section(`Python: ${name}`, journeys.app);
    await execute(folder, 'sh', ['-ec', commands], { PATH });

    const settings = { PATH, ...(await journeys.settings(`python-${name}`)) };
    await writeFile(join(folder, 'ten_lines.py'), program);
    expectOutput(await execute(folder, 'python', ['ten_lines.py'], settings), output);
    const journey = join(import.meta.dirname, `python/${name.replaceAll('-', '_')}.py`);
    expectJourney(await execute(folder, 'python', [journey], settings));
    await execute(folder, 'mypy', ['--strict', '--follow-imports=silent', 'ten_lines.py', journey], { PATH });
  },
);
