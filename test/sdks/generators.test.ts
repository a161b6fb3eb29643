/** Client generators accept the served documents, and the clients compile under strict TypeScript. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { generators } from './generators.ts';
import { compilerErrors, createWorkshop, sourcesIn } from './tools.ts';

const documents = { 'openapi-3.1': '/openapi.json', 'openapi-3.0': '/openapi-3.0.json' };

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

describe.each(Object.entries(generators))('%s', (name, { packages, generate, adapt }) => {
  it.each(Object.entries(documents))(
    'from %s',
    async (version, path) => {
      const folder = await workshop.install(name, packages);
      const { body } = await new TestClient(app.url).get(path).expect(200);
      const input = join(folder, `${version}.json`);
      await writeFile(input, JSON.stringify(adapt?.(body) ?? body));
      const output = join(folder, version);
      await mkdir(output);
      await generate({ folder, input, output });

      expect(await compilerErrors(output)).toEqual([]);
      const source = (await sourcesIn(output)).toLowerCase();
      const missing = Object.entries(operations).filter(
        ([id, { path }]) => !source.includes(id.toLowerCase()) && !source.includes(`"${path}"`),
      );
      expect(missing.map(([id]) => id)).toEqual([]);
    },
    400_000,
  );
});
