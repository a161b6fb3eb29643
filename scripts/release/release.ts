import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { parseChangelog } from '../../src/pages/changelog.ts';
import { breakingChanges } from './breaking-changes.ts';
import { changedNames } from './changes.ts';

type Document = OpenAPI.Document;

interface Release {
  folder: string;
  document: Document;
  changelog: string;
  packageVersion: string;
  /** Whether a stored version may be overwritten. */
  replace: boolean;
  now: Date;
}

/** Writes the document to the folder, as the version that it names. Returns the path of the file. */
export async function release(candidate: Release): Promise<string> {
  const { folder, document, changelog, packageVersion, replace, now } = candidate;
  const { version } = document.info;
  const [top] = parseChangelog(changelog);
  if (top?.version !== version || top.date === null) {
    throw new Error(
      `CHANGELOG.md must begin with "## [${version}] - YYYY-MM-DD", since the contract's version is ${version}.`,
    );
  }
  if (packageVersion !== version) {
    throw new Error(`package.json has the version ${packageVersion}, but the contract has ${version}.`);
  }
  await mkdir(folder, { recursive: true });
  const kept = await releasedDocuments(folder);
  if (!replace && kept.some(({ info }) => info.version === version)) {
    throw new Error(`${version} is released. If nobody has it yet, run: npm run release -- --replace`);
  }
  const last = kept.filter(({ info }) => compareVersions(info.version, version) < 0).at(-1);
  const [problem] = last === undefined ? [] : contractProblems(last, document, changelog, now);
  if (problem !== undefined) throw new Error(problem);
  const file = join(folder, `${version}.json`);
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
  return file;
}

/** The oldest first. */
export async function releasedDocuments(folder: string): Promise<Document[]> {
  const files = await readdir(folder);
  const documents = await Promise.all(
    files
      .filter((file) => file.endsWith('.json'))
      .map(async (file): Promise<Document> => JSON.parse(await readFile(join(folder, file), 'utf8'))),
  );
  return documents.sort((one, other) => compareVersions(one.info.version, other.info.version));
}

/** The reasons why the document can't follow the released one: each break, and each name that the changelog lacks. */
export function contractProblems(
  released: Document,
  document: Document,
  changelog: string,
  now: Date,
): string[] {
  const { version } = released.info;
  const later = parseChangelog(changelog).filter((entry) => isLater(entry.version, version));
  const sentences = later.flatMap(({ changes }) => Object.values(changes).flat());
  const named = new Set(sentences.flatMap(codeWords));
  return [
    ...breakingChanges(released, document, now).map((found) => `Breaks clients of ${version}: ${found}.`),
    ...changedNames(released, document)
      .filter((name) => !named.has(name))
      .map((name) => `CHANGELOG.md: no entry since ${version} names \`${name}\`, which has changed.`),
  ];
}

function isLater(version: string, released: string): boolean {
  return version === 'Unreleased' || compareVersions(version, released) > 0;
}

/** `POST /leads` in a sentence gives POST and /leads. */
function codeWords(sentence: string): string[] {
  return (sentence.match(/`[^`]+`/g) ?? []).flatMap((code) => code.slice(1, -1).split(/[\s?=,]+/));
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
