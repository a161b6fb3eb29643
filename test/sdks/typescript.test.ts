/** The TypeScript client of docs/sdks.md. test/sdk makes longer journeys with this client and others. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectOutput, section } from './chapter.ts';
import { prepareJourneys } from './journey.ts';
import { createWorkshop, execute } from './tools.ts';

let app: TestApp;
let workshop: Awaited<ReturnType<typeof createWorkshop>>;

beforeAll(async () => {
  app = await startTestApp();
  workshop = await createWorkshop();
});

afterAll(async () => {
  await app.close();
  await workshop.remove();
});

it('openapi-typescript and openapi-fetch: the ten lines work', { timeout: 400_000 }, async () => {
  const folder = join(workshop.root, 'typescript');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const { commands, program, output } = section('TypeScript: openapi-typescript and openapi-fetch', app);
  await execute(folder, 'sh', ['-ec', commands]);
  await writeFile(join(folder, 'ten-lines.ts'), program);
  const settings = await (await prepareJourneys(app, workshop.root)).settings('typescript');
  expectOutput(await execute(folder, process.execPath, ['ten-lines.ts'], settings), output);
});
