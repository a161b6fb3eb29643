import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isRehearsed } from '../support/chapter.ts';
import { commandsOf, readPage } from '../support/markdown.ts';
import { Newcomer, tour } from '../support/newcomer.ts';
import { openShell } from '../support/shell.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const project = join(import.meta.dirname, '../..');
const programs = join(project, 'test/support/bin');
const links = (page: string) => [...page.matchAll(/\]\(([^)#\s]+)(#[^)\s]*)?\)/g)];
/** In the order of the README's table of contents. */
const chapters = [...new Set(links(readPage('README.md')).map(([, path = '']) => path))].filter((path) =>
  path.startsWith('docs/'),
);

/** The anchors that GitHub makes from headings. */
function anchors(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-')}`,
  );
}

describe('the pages', () => {
  it('are all in the table of contents', () => {
    const files = readdirSync(join(project, 'docs')).filter((name) => name.endsWith('.md'));
    expect(chapters.toSorted()).toEqual(files.map((name) => `docs/${name}`).toSorted());
  });

  it.each(['README.md', ...chapters])('link to existing targets: %s', (path) => {
    const missing = links(readPage(path)).filter(([, target = '', anchor]) => {
      if (/^[a-z]+:/.test(target)) return false;
      const file = join(path, '..', target);
      if (!existsSync(join(project, file))) return true;
      return anchor !== undefined && !anchors(readPage(file)).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  // An interactive zsh treats a comment as arguments, and an unquoted ? or [ as a pattern of file names. Interactive shells
  // treat a ! as a reference to their history.
  it.each(['README.md', ...chapters])('have commands that work in any shell: %s', (path) => {
    const texts = commandsOf(readPage(path))
      .filter(({ isRunnable }) => isRunnable)
      .map(({ text }) => text);
    // The first two commands of the README have comments.
    const lines = texts.filter((text) => !text.startsWith('npm ci')).flatMap((text) => text.split('\n'));
    expect(lines.filter((line) => /(^| )#|!\S/.test(line))).toEqual([]);
    expect(lines.filter((line) => /(^| )\$\w+\S*[?[]/.test(line))).toEqual([]);
  });

  // Pasted without the tour's variables, a block would lose the secret.
  it.each(chapters)(
    'put the secret of a new client into a variable only if the tour has set its own: %s',
    (path) => {
      const lines = commandsOf(readPage(path)).flatMap(({ text }) => text.split('\n'));
      expect(lines.filter((line) => /\$\((?!: "\$\{API:\?).*clients create/.test(line))).toEqual([]);
    },
  );
});

describe('the commands of the chapters', () => {
  let newcomer: Newcomer;

  beforeAll(() => {
    newcomer = new Newcomer();
    newcomer.addDatabases();
    return newcomer.start();
  });

  afterEach(() => newcomer.cleanUp());
  afterAll(() => newcomer.leave());

  const pages = chapters
    .filter((path) => !isRehearsed(path))
    .map((path) => ({ path, steps: commandsOf(readPage(path)).filter(({ isRunnable }) => isRunnable) }))
    .filter(({ steps }) => steps.length > 0);

  it.each(pages)('work when pasted after the first block of the tour, twice: $path', async ({ steps }) => {
    // The commands find the service by its port.
    const env = { PORT: String(newcomer.port), PATH: `${programs}:${process.env.PATH}` };
    const shell = openShell(newcomer.folder, env);
    try {
      for (const command of [...tour.slice(0, 1), ...steps, ...steps]) await newcomer.follow(shell, command);
    } finally {
      shell.close();
    }
    expect(newcomer.left).toEqual(['.data']);
  });
});
