/** An operator chapter whose blocks a test file runs. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect, type RunnerTask } from 'vitest';
import { type Command, commandsOf, readPage } from './markdown.ts';

const folder = join(import.meta.dirname, '../docs/operator');

/** The chapters in the README's table "Run". */
export function operatorChapters(): string[] {
  const [, table = ''] = /^## Run\n([\s\S]*?)^## /m.exec(readPage('README.md')) ?? [];
  return [...table.matchAll(/\]\((docs\/[^)#]+)\)/g)].map(([, path = '']) => path);
}

/** Whether a file in test/docs/operator runs the chapter's blocks, instead of chapters.test.ts. */
export function isRehearsed(path: string): boolean {
  return existsSync(join(folder, `${basename(path, '.md')}.test.ts`));
}

/**
 * What makes a block impossible to run in a test, as the chapter says after `sh not-run: needs`, and what such a block contains.
 * A new reason is a decision: first try to make the block runnable.
 */
export const obstacles: Record<string, RegExp> = {
  // There is no Docker daemon where the tests run, and they couldn't download images.
  Docker: /^docker /m,
  // There is no cluster.
  Kubernetes: /^kubectl /m,
  // systemd isn't process 1.
  systemd: /^(systemctl|journalctl) /m,
  // Changes the packages of the machine that runs the tests.
  'a package manager': /^(apt-get|npm ci) /m,
  // Changes a file in /etc or /var, or the users of the machine that runs the tests.
  root: /^(install|cp|runuser|ln|sudo) |> \/(etc|var)\//m,
  // Needs a device that no container has.
  'a watchdog': /watchdog/,
  // Needs a second machine, or a name in DNS.
  'another machine': /\b(scp|ssh|pg_basebackup|patronictl|etcdctl)\b|\bexample\.com\b|\b10\.0\.0\.\d/,
};

function hasSkipped(task: RunnerTask): boolean {
  if (task.mode === 'skip' || task.result?.state === 'skip') return true;
  return 'tasks' in task && task.tasks.some(hasSkipped);
}

interface Chapter {
  /** The text of a block that a test runs. Counts those in its section from 0. */
  block(section: string, index?: number): string;
  /** The blocks that tests run, with the output that the chapter promises: all of them, or those of other sections. */
  blocks(except?: RegExp): Command[];
}

/** Fails after the file's tests if one of the chapter's blocks was not used. */
export function openChapter(path: string): Chapter {
  const commands = commandsOf(readPage(path)).filter(({ isRunnable }) => isRunnable);
  const unused = new Set<Command>(commands);
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures the function needs.
  afterAll(({}, file) => {
    // `vitest -t` runs only some of the tests, and others may lack a program.
    if (!hasSkipped(file)) expect([...unused].map(({ text }) => text)).toEqual([]);
  });
  return {
    block(section, index = 0) {
      const found = commands.filter((command) => command.section === section)[index];
      if (found === undefined) throw new Error(`${path} has no block ${index} in "${section}".`);
      unused.delete(found);
      return found.text;
    },
    blocks(except) {
      const found = commands.filter(({ section }) => except?.test(section) !== true);
      for (const command of found) unused.delete(command);
      return found;
    },
  };
}
