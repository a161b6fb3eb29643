/** The code that the reference and `x-codeSamples` show, as it stands: compiled, and sent to a service. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { missing } from '../support/programs.ts';
import { createVenv } from './openapi-generator.ts';

vi.setConfig({ testTimeout: 300_000 });

const run = promisify(execFile);
const modules = join(import.meta.dirname, '../../node_modules');
const folder = mkdtempSync(join(tmpdir(), 'code-samples-'));

interface Sample {
  operationId: string;
  label: string;
  source: string;
}

let app: TestApp;
let samples: Sample[];
let env: NodeJS.ProcessEnv;
/** What the service answered, in order. */
let statuses: number[] = [];
const proxy = createServer((req, res) => {
  const { method, url, headers } = req;
  const passed = request(new URL(url ?? '/', app.url), { method, headers }, (answer) => {
    statuses.push(answer.statusCode ?? 0);
    res.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(res);
  });
  req.pipe(passed);
});

beforeAll(async () => {
  app = await startTestApp();
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const { body } = await new TestClient(app.url).get('/openapi.json').expect(200);
  samples = Object.values<Record<string, Operation>>(body.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, 'x-codeSamples': all = [] }) =>
      all.map(({ label, source }) => ({ operationId, label, source })),
    ),
  );
  const { headers } = await app.client(['read', 'write', 'admin']);
  env = {
    ...process.env,
    API: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`,
    TOKEN: headers.Authorization?.replace('Bearer ', ''),
  };
});

// Each language creates the same.
beforeEach(async () => {
  statuses = [];
  await app.production.knex.raw(
    'truncate leads, contacts, content, metadata_fields cascade; delete from users',
  );
});

afterAll(async () => {
  proxy.close();
  rmSync(folder, { recursive: true });
  await app.close();
});

interface Operation {
  operationId: string;
  'x-codeSamples'?: Omit<Sample, 'operationId'>[];
}

const of = (label: string) => samples.filter((sample) => sample.label === label);

/** Nothing is refused for its form. The ids of the examples don't exist. */
function expectAccepted(operations: readonly Sample[]): void {
  expect(statuses).toHaveLength(operations.length);
  const refused = operations.filter(
    ({ operationId }, index) =>
      [400, 401, 405, 415, 422, 500].includes(statuses[index] ?? 0) &&
      // A note needs a lead that exists, and these two need credentials that do.
      !['createNote', 'createToken', 'revokeToken'].includes(operationId),
  );
  expect(refused.map(({ operationId }) => operationId)).toEqual([]);
}

it('curl', async () => {
  for (const { source } of of('curl')) await run('sh', ['-c', source.replace('curl', 'curl -s')], { env });
  expectAccepted(of('curl'));
});

const noPython = missing('python3');

it.skipIf(noPython)(`Python, with Requests${noPython === undefined ? '' : ` (${noPython})`}`, async () => {
  const python = join(await createVenv(join(folder, 'venv'), ['requests']), 'python');
  const program = of('Python').map(
    ({ source }) => `try:\n    exec(${JSON.stringify(source)})\nexcept requests.HTTPError:\n    pass\n`,
  );
  await run(python, ['-c', `import requests\n${program.join('')}`], { env, maxBuffer: 64 * 1024 * 1024 });
  expectAccepted(of('Python'));
});

it('TypeScript, with openapi-fetch and the types of the served document', async () => {
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const document = await (await fetch(`${app.url}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
  await run('npx', [
    'openapi-typescript',
    join(folder, 'openapi.json'),
    '-o',
    join(folder, 'lead-pipeline.ts'),
  ]);
  for (const { operationId, source } of of('TypeScript'))
    writeFileSync(join(folder, `${operationId}.ts`), source);
  const compiler = join(modules, 'typescript-native/bin/tsc');
  const strict = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'];
  const modern = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
  const files = of('TypeScript').map(({ operationId }) => join(folder, `${operationId}.ts`));
  const compiled = await run(process.execPath, [compiler, ...strict, ...modern, ...files]).catch(
    ({ stdout }) => ({ stdout }),
  );
  expect(compiled.stdout).toBe('');
  const program = files.map((file) => `await import(${JSON.stringify(file)}).catch(() => {});`).join('\n');
  await run(process.execPath, ['--input-type=module', '--eval', program], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  expectAccepted(of('TypeScript'));
});
