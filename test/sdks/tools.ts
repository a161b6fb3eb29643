/** Installs the tools that these tests run, with plain npm into a temporary folder. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const compiler = join(import.meta.dirname, '../../node_modules/typescript-native/bin/tsc');
const MAX_OUTPUT = 64 * 1024 * 1024;

/** A folder for everything, which `remove` deletes. */
export async function createWorkshop() {
  const root = await mkdtemp(join(tmpdir(), 'sdks-'));
  const installed = new Map<string, Promise<string>>();
  return {
    root,
    /** Installs the packages, once for each name, and returns their folder. */
    install(name: string, packages: Record<string, string>): Promise<string> {
      const folder = installed.get(name) ?? installInto(join(root, name), packages);
      installed.set(name, folder);
      return folder;
    },
    remove: () => rm(root, { recursive: true }),
  };
}

async function installInto(folder: string, packages: Record<string, string>): Promise<string> {
  await mkdir(folder);
  const manifest = { private: true, type: 'module', dependencies: packages };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await execute(folder, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
  ]);
  return folder;
}

/** Runs a command. If it fails, the error contains its output. */
export async function execute(
  cwd: string,
  command: string,
  parameters: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  try {
    const options = { cwd, maxBuffer: MAX_OUTPUT, env: { ...process.env, CI: '', ...env } };
    return (await run(command, parameters, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${parameters.join(' ')}\n${`${stdout}${stderr}`.slice(0, 10_000)}`, {
      cause: error,
    });
  }
}

const strict = {
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noFallthroughCasesInSwitch: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: [],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/** Compiler errors in all TypeScript below the folder. */
export async function compilerErrors(folder: string): Promise<string[]> {
  const config = { compilerOptions: strict, include: ['**/*.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const found = await execute(folder, process.execPath, [compiler, '--project', folder]).catch(
    (error: Error) => error.message,
  );
  return found.split('\n').filter((line) => line.includes('error TS'));
}

/** All TypeScript below the folder. */
export async function sourcesIn(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}
