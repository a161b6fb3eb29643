/** Go clients, generated from the served document by the commands of docs/sdks.md. A Go library checks the documents. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClient } from '../support/client.ts';
import { missing } from '../support/programs.ts';
import { expectOutput, section } from './chapter.ts';
import { expectJourney, type Journeys, prepareJourneys } from './journey.ts';
import { installOpenapiGenerator, tools } from './openapi-generator.ts';
import { execute } from './tools.ts';

const WEBHOOKS = 'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1';
const KIN = 'github.com/getkin/kin-openapi@v0.153.0';

let journeys: Journeys;

beforeAll(async () => {
  journeys = await prepareJourneys();
});

afterAll(() => journeys.close());

const generators = {
  'oapi-codegen': { skipped: missing('go'), install: async () => '' },
  'openapi-generator': {
    skipped: missing('go', ...tools),
    install: () => installOpenapiGenerator(journeys.root),
  },
};

it.for(Object.entries(generators))(
  '%s: the client makes the journey',
  { timeout: 900_000 },
  async ([name, { skipped, install }], { skip }) => {
    if (skipped !== undefined) skip(skipped);
    const generator = await install();
    const folder = join(journeys.root, `go-${name}`);
    await mkdir(join(folder, 'journey'), { recursive: true });
    const PATH = [generator, process.env.PATH].join(delimiter);
    const { commands, program, output } = section(`Go: ${name}`, journeys.app);
    await execute(folder, 'sh', ['-ec', commands], { PATH });
    await writeFile(join(folder, 'main.go'), program);
    for (const source of [`${name.replaceAll('-', '_')}.go`, 'shared.go'])
      await cp(join(import.meta.dirname, 'go', source), join(folder, 'journey', source));
    await execute(folder, 'go', ['get', WEBHOOKS]);
    await execute(folder, 'go', ['mod', 'tidy']);
    await execute(folder, 'go', ['build', '-o', 'bin/', '.', './journey']);

    const settings = await journeys.settings(`go-${name}`);
    expectOutput(await execute(folder, 'bin/try', [], settings), output);
    expectJourney(await execute(folder, 'bin/journey', [], settings));
  },
);

it('kin-openapi: no schema refuses its example or its default', async ({ skip }) => {
  const skipped = missing('go');
  if (skipped !== undefined) skip(skipped);
  const folder = join(journeys.root, 'kin-openapi');
  await mkdir(folder);
  await cp(join(import.meta.dirname, 'go/kin_openapi.go'), join(folder, 'main.go'));
  await execute(folder, 'go', ['mod', 'init', 'example.com/check']);
  await execute(folder, 'go', ['get', KIN]);
  await execute(folder, 'go', ['mod', 'tidy']);
  await execute(folder, 'go', ['build', '-o', 'check', '.']);
  const check = async (document: object) => {
    await writeFile(join(folder, 'document.json'), JSON.stringify(document));
    return execute(folder, './check', ['document.json']);
  };
  const origin = new TestClient(journeys.app.url);
  for (const path of ['/openapi.json', '/openapi-3.0.json']) {
    const { body } = await origin.get(path).expect(200);
    expect(await check(body), path).toBe('valid\n');
    const Broken = { type: 'object', properties: { at: { type: 'string' } }, example: { at: 5 } };
    const { components } = body;
    const broken = { ...body, components: { ...components, schemas: { ...components.schemas, Broken } } };
    await expect(check(broken), path).rejects.toThrow('Broken');
  }
}, 400_000);
