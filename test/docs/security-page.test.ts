/** SECURITY.md names existing tests and chapters. */
import { existsSync, globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPage } from '../support/markdown.ts';

const page = readPage('SECURITY.md');

it('has each risk of the OWASP API Security Top 10 with its tests', () => {
  const rows = page.split('\n').filter((line) => /^\| API\d+ /.test(line));
  expect(rows.map((row) => /API\d+/.exec(row)?.[0])).toEqual(
    Array.from({ length: 10 }, (_, n) => `API${n + 1}`),
  );
  for (const row of rows) {
    const files = [...row.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file);
    expect(files.length, row).toBeGreaterThan(1);
    expect(files.filter((file) => !existsSync(`test/${file}`))).toEqual([]);
  }
});

it('names every test of test/api/security', () => {
  const files = globSync('api/security/*.test.ts', { cwd: 'test' });
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});

it('links to existing chapters and headings, and README.md links to it', () => {
  for (const [, path = '', anchor] of page.matchAll(/\]\(([^)#\s:]+)(?:#([^)\s]*))?\)/g)) {
    expect(existsSync(path), path).toBe(true);
    const headings = [...readPage(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
    if (anchor !== undefined) expect(headings, `${path}#${anchor}`).toContain(anchor);
  }
  expect(readPage('README.md')).toContain('](SECURITY.md)');
});
