/** The command that the package installs. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { cleanUp, newDataDir, run } from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 60_000 });

const project = join(import.meta.dirname, '../..');
const bin = join(project, packageJson.bin['lead-pipeline']);

/** The variables that put another Node before the others. */
function withNode(version: string, folder = newDataDir()) {
  const other = join(folder, 'node');
  writeFileSync(other, `#!/bin/sh\necho ${version}\nexit 9\n`);
  chmodSync(other, 0o755);
  return { PATH: `${folder}:${process.env.PATH}` };
}

it('runs through a link from another folder, where the Node on the path is too old', async () => {
  const folder = newDataDir();
  symlinkSync(bin, join(folder, 'lead-pipeline'));
  const { output, exited } = run('lead-pipeline', ['--help'], withNode('v20.20.2', folder), folder);
  expect([await exited, output.stderr]).toEqual([0, '']);
  expect(output.stdout).toMatch(/^Usage: lead-pipeline /);
});

it('runs by npx in the folder of the package', async () => {
  const { output, exited } = run('npx', ['lead-pipeline', '--help'], { npm_config_cache: newDataDir() });
  expect(await exited, output.stderr).toBe(0);
  expect(output.stdout).toMatch(/^Usage: lead-pipeline /);
});

it.each([
  ['npm start', ['npm', 'start']],
  ['npm test', ['npm', 'test']],
  ['npm run migrate', ['npm', 'run', 'migrate']],
  ['npx lead-pipeline', ['npx', 'lead-pipeline', 'credentials']],
  ['bin/lead-pipeline', ['bin/lead-pipeline', '--help']],
])('says to run npm ci, in a clone where nobody has: %s', async (_, [program = '', ...args]) => {
  const folder = newDataDir();
  for (const name of ['package.json', 'bin'])
    cpSync(join(project, name), join(folder, name), { recursive: true });
  const { output, exited } = run(program, args, { npm_config_cache: newDataDir() }, folder);
  expect(await exited).toBe(1);
  expect(output.stderr).toBe(
    `Run npm ci in ${folder} first: the packages that the service needs are not installed there.\n`,
  );
});

/** A clone that was installed without the development tools, so without Node.js. */
function cloneWithoutNode(): string {
  const folder = newDataDir();
  cpSync(join(project, 'bin'), join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/commander'), { recursive: true });
  return folder;
}

const [, neededMajor = '', neededMinor = ''] = /^>=(\d+)\.(\d+)$/.exec(packageJson.engines.node) ?? [];
const lastRefused = `v${neededMajor}.${Number(neededMinor) - 1}.9`;

it.each(['v20.20.2', 'v24.0.0', 'v24.9.1', 'v24.10.0', lastRefused])(
  'says which Node it needs, in a clone that was installed without one: not %s',
  async (version) => {
    const folder = cloneWithoutNode();
    const { output, exited } = run('bin/lead-pipeline', ['--help'], withNode(version), folder);
    expect(await exited).toBe(1);
    expect(output.stderr).toBe(
      `Install Node.js ${neededMajor}.${neededMinor} or newer first, or run npm ci without --omit=dev: this is Node.js ${version}.\n`,
    );
  },
);

it.each([`v${neededMajor}.${neededMinor}.0`, 'v24.30.1', 'v25.0.0', 'v30.1.0'])(
  'runs with the Node of the system if it is new enough: %s',
  async (version) => {
    const folder = cloneWithoutNode();
    const { output, exited } = run('bin/check-install', [], withNode(version), folder);
    expect([await exited, output.stderr]).toEqual([0, '']);
  },
);

it('is executable in a clone', () => {
  const listed = execFileSync('git', ['ls-files', '--stage', '--', 'bin'], {
    cwd: project,
    encoding: 'utf8',
  });
  for (const name of ['lead-pipeline', 'check-install'])
    expect(listed).toMatch(new RegExp(`^100755 \\S+ 0\tbin/${name}$`, 'm'));
});
