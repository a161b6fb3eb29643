import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandsOf, readPage } from '../support/markdown.ts';
import { Newcomer, tour } from '../support/newcomer.ts';
import { openShell, type Shell } from '../support/shell.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const commands = commandsOf(readPage('README.md'));
const section = (name: string) => commands.filter((command) => command.section === name);

describe('README.md', () => {
  let newcomer: Newcomer;
  let shell: Shell;

  beforeAll(async () => {
    newcomer = new Newcomer();
    await newcomer.start();
    shell = openShell(newcomer.folder, { HOME: newcomer.home });
  });

  afterAll(async () => {
    shell.close();
    await newcomer.leave();
  });

  it('begins with the commands that start and test the service', () => {
    const [first] = commands;
    const lines = first?.text.trim().split('\n') ?? [];
    expect(lines.map((line) => line.replace(/ +#.*/, ''))).toEqual([
      'npm ci && npm start',
      'npm ci && npm test',
    ]);
  });

  it.each(['once', 'twice'])('has a tour that works when pasted block by block: %s', async () => {
    expect(tour.length).toBeGreaterThan(5);
    for (const command of tour) await newcomer.follow(shell, command);
  });

  it('explains how to stop, and how to start from scratch', async () => {
    await newcomer.interrupt();
    const steps = section('Stop and start afresh');
    expect(steps).not.toEqual([]);
    for (const command of steps) await newcomer.follow(shell, command);
    expect(existsSync(newcomer.dataDir)).toBe(false);
    await newcomer.start();
    const [setUp, create] = tour;
    for (const command of [setUp, create]) if (command) await newcomer.follow(shell, command);
  });

  it('generates an SDK with one command', async () => {
    for (const command of section('Make a client of your own')) await newcomer.follow(shell, command);
    const sdk = readFileSync(join(newcomer.home, 'lead-pipeline-sdk/sdk.gen.ts'), 'utf8');
    expect(sdk).toContain('export const listLeads');
  });

  it('leaves only ignored files in the folder', () => {
    expect(newcomer.left).toEqual(['.data']);
    expect(readPage('.gitignore')).toMatch(/^\.data\/$/m);
  });
});
