import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandsOf, readPage } from '../support/markdown.ts';
import { Newcomer, tour } from '../support/newcomer.ts';
import { openShell, type Shell } from '../support/shell.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const readme = readPage('README.md');

describe('README.md', () => {
  it('has at most 150 lines, for a person who decides in a minute', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('begins with the commands that start and test the service', () => {
    const [first] = commandsOf(readme);
    const lines = first?.text.trim().split('\n') ?? [];
    expect(lines.map((line) => line.replace(/ +#.*/, ''))).toEqual([
      'npm ci && npm start',
      'npm ci && npm test',
    ]);
  });

  it('shows each of its pictures in light and in dark', () => {
    const pictures = [...readme.matchAll(/(?:srcset|src)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(pictures.map((path) => path.replace(/-(dark|light)\.png$/, ' $1'))).toEqual([
      'docs/pictures/dashboard dark',
      'docs/pictures/dashboard light',
      'docs/pictures/docs dark',
      'docs/pictures/docs light',
    ]);
    for (const path of pictures)
      expect(existsSync(join(import.meta.dirname, '../..', path)), path).toBe(true);
  });
});

describe.each([
  ['the default', undefined],
  ['another', "Ada's leads"],
])('the tour, when DATA_DIR is %s', (_which, name) => {
  let newcomer: Newcomer;
  let shell: Shell;
  let env: Record<string, string>;

  beforeAll(async () => {
    newcomer = new Newcomer();
    env = name === undefined ? {} : { DATA_DIR: join(newcomer.home, name) };
    await newcomer.start(env);
    shell = openShell(newcomer.folder, { HOME: newcomer.home, ...env });
  });

  afterAll(async () => {
    shell.close();
    await newcomer.leave();
  });

  it.each(['once', 'twice'])('works when pasted block by block: %s', async () => {
    expect(tour.length).toBeGreaterThan(4);
    for (const command of tour) await newcomer.follow(shell, command);
  });

  it('works after the data folder was deleted', async () => {
    await newcomer.interrupt();
    rmSync(env.DATA_DIR ?? newcomer.dataDir, { recursive: true });
    await newcomer.start(env);
    const [setUp, create] = tour;
    for (const command of [setUp, create]) if (command) await newcomer.follow(shell, command);
  });

  it('leaves only ignored files in the folder', () => {
    expect(newcomer.left).toEqual(name === undefined ? ['.data'] : []);
    expect(readPage('.gitignore')).toMatch(/^\.data\/$/m);
  });
});
