/** Production dependencies: licences, and the page that lists them. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compareVersions, productionDependencies } from '../../scripts/dependencies.ts';
import { renderDependenciesPage } from '../../scripts/dependencies-page.ts';
import { readPage } from '../support/markdown.ts';

/** https://spdx.org/licenses: licences that require only their text. */
const permissive = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
  ],
  ...['PostgreSQL', 'Python-2.0', 'Unlicense', 'Zlib'],
];

const dependencies = productionDependencies();

it('every package has a permissive licence', () => {
  const isPermissive = (licence: string) => {
    const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
    return choices.some((choice) => choice.split(' AND ').every((one) => permissive.includes(one)));
  };
  const others = dependencies.filter(({ licence }) => !isPermissive(licence));
  expect(others.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  expect(dependencies.length).toBeGreaterThan(150);
  for (const licence of [
    'GPL-3.0-only',
    'MIT AND GPL-2.0-only',
    'SEE LICENSE IN LICENSE',
    '',
    'UNLICENSED',
  ]) {
    expect(isPermissive(licence)).toBe(false);
  }
});

it('the licence of the lock file is that of the package', () => {
  let checked = 0;
  for (const { name, version, licence } of dependencies) {
    const file = `node_modules/${name}/package.json`;
    if (!existsSync(file)) continue;
    const installed = JSON.parse(readFileSync(file, 'utf8'));
    if (installed.version !== version) continue;
    checked += 1;
    const { license = installed.licenses?.map(({ type }: { type: string }) => type).join(' OR ') } =
      installed;
    expect([name, license]).toEqual([name, licence]);
  }
  expect(checked).toBeGreaterThan(150);
});

it.each([
  ['1.2.3', '1.2.4', -1],
  ['1.10.0', '1.9.9', 1],
  ['2.0.0', '10.0.0', -1],
  ['1.2.3', '1.2.3', 0],
])('version %s and %s are compared as numbers', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});

it('every package is pinned by its hash, and somebody needs it', () => {
  for (const { name, integrity, neededBy } of dependencies) {
    expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
    expect(neededBy.length, name).toBeGreaterThan(0);
  }
});

it('docs/dependencies.md lists all of them; if not, run `npm run generate`', () => {
  const page = readPage('docs/dependencies.md');
  expect(renderDependenciesPage(page)).toBe(page);
  for (const { name, version } of dependencies) expect(page).toContain(`| \`${name}\` | ${version} |`);
});
