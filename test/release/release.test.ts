/** A release keeps the contract, and the next one has to follow it. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contractProblems, release, releasedDocuments } from '../../scripts/release/release.ts';
import { changed, exampleDocument } from './document.ts';

const now = new Date('2026-11-22');
const changelog = '# Changelog\n\n## [1.0.0] - 2026-11-22\n\n### Added\n\n- Leads.\n';
const withPhone = changed('components schemas Lead properties phone', { type: 'string' });
const withoutHealth = changed('paths /health');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'released-'));
});

afterEach(() => rm(folder, { recursive: true }));

function run(document: OpenAPI.Document, options: Partial<Parameters<typeof release>[0]> = {}) {
  return release({ folder, document, changelog, packageVersion: '1.0.0', replace: false, now, ...options });
}

/** As it goes out as 1.1.0. */
function next(document: OpenAPI.Document): OpenAPI.Document {
  return { ...document, info: { ...document.info, version: '1.1.0' } };
}

function since(entry: string): string {
  return changelog.replace('## [1.0.0]', `## [1.1.0] - 2026-12-01\n\n### Added\n\n- ${entry}\n\n## [1.0.0]`);
}

describe('npm run release', () => {
  it('keeps the document under its version', async () => {
    expect(await run(exampleDocument())).toBe(join(folder, '1.0.0.json'));
    expect(await releasedDocuments(folder)).toEqual([exampleDocument()]);
  });

  it.each([
    ['another version', changelog.replace('1.0.0', '0.9.0')],
    ['no date', changelog.replace('2026-11-22', 'Unreleased')],
    ['something unreleased', changelog.replace('## [1.0.0]', '## [Unreleased]\n\n## [1.0.0]')],
    ['no section', '# Changelog\n'],
  ])('fails if the changelog begins with %s', async (_, given) => {
    await expect(run(exampleDocument(), { changelog: given })).rejects.toThrow(
      'CHANGELOG.md must begin with "## [1.0.0] - YYYY-MM-DD"',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('fails if the package has another version', async () => {
    await expect(run(exampleDocument(), { packageVersion: '1.1.0' })).rejects.toThrow(
      'package.json has the version 1.1.0, but the contract has 1.0.0',
    );
  });

  it('replaces a version only if asked to', async () => {
    await run(exampleDocument());
    await expect(run(withoutHealth)).rejects.toThrow('npm run release -- --replace');
    await run(withoutHealth, { replace: true });
    expect(await releasedDocuments(folder)).toEqual([withoutHealth]);
  });

  it('rejects a breaking change, and a change without an entry', async () => {
    await run(exampleDocument());
    const options = { packageVersion: '1.1.0', changelog: since('The `phone` of a lead.') };
    await expect(run(next(withoutHealth), options)).rejects.toThrow('GET /health is removed');
    const silent = { ...options, changelog: since('Better in many ways.') };
    await expect(run(next(withPhone), silent)).rejects.toThrow('names `phone`');
    await run(next(withPhone), options);
    expect((await releasedDocuments(folder)).map(({ info }) => info.version)).toEqual(['1.0.0', '1.1.0']);
  });

  it('sorts 1.10.0 after 1.9.0', async () => {
    for (const version of ['1.10.0', '1.9.0']) {
      const document = { ...exampleDocument(), info: { title: 'Leads', version } };
      await run(document, { packageVersion: version, changelog: changelog.replace('1.0.0', version) });
    }
    expect((await releasedDocuments(folder)).map(({ info }) => info.version)).toEqual(['1.9.0', '1.10.0']);
  });
});

describe('a contract after the released one', () => {
  const unreleased = changelog.replace(
    '## [1.0.0]',
    '## [Unreleased]\n\n### Added\n\n- A `phone`.\n\n## [1.0.0]',
  );

  it.each([
    ['the same', exampleDocument(), changelog],
    ['a change in prose', changed('components schemas Lead description', 'Somebody.'), changelog],
    ['a change that is named as unreleased', withPhone, unreleased],
    ['a change that is named in a later version', withPhone, since('The `phone` of a lead.')],
    ['a change that is named within a longer piece of code', withPhone, since('`GET /leads?phone=`')],
  ])('may be %s', (_, document, log) => {
    expect(contractProblems(exampleDocument(), document, log, now)).toEqual([]);
  });

  it.each([
    ['a word that only contains it', unreleased.replace('phone', 'phones')],
    ['a word that is not code', unreleased.replaceAll('`', '')],
    ['a section of the released version', changelog.replace('Leads.', 'A `phone`.')],
  ])('is not named by %s', (_, log) => {
    expect(contractProblems(exampleDocument(), withPhone, log, now)).toEqual([
      'CHANGELOG.md: no entry since 1.0.0 names `phone`, which has changed.',
    ]);
  });

  it('must not break clients, with or without an entry', () => {
    const log = unreleased.replace('phone', '/health');
    expect(contractProblems(exampleDocument(), withoutHealth, log, now)).toEqual([
      'Breaks clients of 1.0.0: GET /health is removed.',
    ]);
  });
});
