/** openapi-generator, a Java program, from PyPI's package. The languages' tests share it. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from './tools.ts';

/** Tools that it needs, for `missing()`. */
export const tools = ['java', 'python3'];

const VERSION = '7.26.0';

/** Installs the command `openapi-generator-cli` below this folder. Returns its folder for PATH. */
export function installOpenapiGenerator(root: string): Promise<string> {
  return createVenv(join(root, 'openapi-generator'), [`openapi-generator-cli==${VERSION}`]);
}

/** Creates a virtual environment of Python with these packages. Returns its folder for PATH. */
export async function createVenv(folder: string, packages: readonly string[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  await execute(folder, 'python3', ['-m', 'venv', folder]);
  const bin = join(folder, 'bin');
  await execute(folder, join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  if (!(await readdir(bin)).includes('python')) throw new Error(`${bin} has no python.`);
  return bin;
}
