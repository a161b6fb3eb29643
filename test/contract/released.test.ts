/** The contract doesn't break clients of the last release, and the changelog names the changes. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { contractProblems, releasedDocuments } from '../../scripts/release/release.ts';

it('follows the released contract', async () => {
  const last = (await releasedDocuments('openapi/released')).at(-1);
  const document = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
  const changelog = await readFile('CHANGELOG.md', 'utf8');
  expect(last && contractProblems(last, document, changelog, new Date())).toEqual([]);
});
