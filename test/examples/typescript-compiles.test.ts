import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import packageJson from '../../examples/typescript/package.json' with { type: 'json' };
import rootPackageJson from '../../package.json' with { type: 'json' };
import { startTestApp, type TestApp } from '../support/app.ts';
import { folder } from '../support/example.ts';
import { run } from '../support/process.ts';

let app: TestApp;
let copy: string;

beforeAll(async () => {
  app = await startTestApp();
  copy = mkdtempSync(join(tmpdir(), 'example-'));
  cpSync(folder, copy, { recursive: true, filter: (path) => !/node_modules|api\.d\.ts|sqlite/.test(path) });
  const [, snippet = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
  writeFileSync(join(copy, 'src/readme.ts'), snippet);
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
});

afterAll(async () => {
  rmSync(copy, { recursive: true });
  await app.close();
});

/** Runs a script of its package.json with the compiler named there, since `.bin/tsc` is that of our own type check. */
async function script(name: keyof typeof packageJson.scripts, env: Record<string, string> = {}) {
  const program = `cd ${copy} && PATH=$PWD/node_modules/typescript/bin:$PWD/node_modules/.bin:$PATH && ${packageJson.scripts[name]}`;
  const { exited, output } = run('sh', ['-c', program], env);
  return { code: await exited, ...output };
}

it("compiles with its README's examples under the strictest rules, with the running service's types", async () => {
  const generated = await script('generate', { API_ORIGIN: app.url });
  expect(generated).toMatchObject({ code: 0 });
  const { code, stdout } = await script('typecheck');
  expect(stdout).toBe('');
  expect(code).toBe(0);
}, 120_000);

it('has the same versions of its dependencies as the tests', () => {
  const own = { ...packageJson.dependencies, ...packageJson.devDependencies };
  const root: Record<string, string> = {
    ...rootPackageJson.dependencies,
    ...rootPackageJson.devDependencies,
  };
  for (const [name, version] of Object.entries(own)) expect(root[name], name).toBe(version);
});
