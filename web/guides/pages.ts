/** Prepares the Markdown that VitePress builds: docs/, the tour of the README, the changelog, and the reference. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readGroups, readTour } from './readme.ts';
import type { Document } from './reference/document.ts';
import { referencePages } from './reference/pages.ts';

export const PROJECT = join(import.meta.dirname, '../..');
export const PAGES = join(import.meta.dirname, 'pages');

export interface Page {
  /** As in its URL, below /guides/. */
  name: string;
  title: string;
  /** What it is about, as Markdown. */
  summary: string;
  /** Where its text is in the repository. Its links are relative to that. */
  path: string;
  markdown: string;
}

interface Group {
  name: string;
  pages: Page[];
}

const read = (path: string) => readFile(join(PROJECT, path), 'utf8');

export async function readDocument(): Promise<Document> {
  return JSON.parse(await read('generated/public/openapi.json'));
}

/** The chapters in the groups of the README, the reference, and the changelog. */
export async function readPages(document: Document): Promise<Group[]> {
  const readme = await read('README.md');
  const textOf = (path: string) => (path === 'README.md' ? readTour(readme) : read(path));
  const groups = await Promise.all(
    readGroups(readme).map(async ({ name, chapters }) => ({
      name,
      pages: await Promise.all(
        chapters.map(async (chapter) => ({ ...chapter, markdown: await textOf(chapter.path) })),
      ),
    })),
  );
  const reference = referencePages(document).map(({ name, title, markdown }) => ({
    name: `reference/${name}`,
    title,
    summary: 'every operation with its fields, errors and code',
    path: `docs/reference/${name}.md`,
    markdown,
  }));
  const changelog = {
    name: 'changelog',
    title: 'Changelog',
    summary: 'what each version adds, changes and fixes',
    path: 'CHANGELOG.md',
    // Versions have brackets, as Keep a Changelog wants it, but no links.
    markdown: (await read('CHANGELOG.md')).replaceAll(/^## \[(.+)\]/gm, '## $1'),
  };
  return [...groups, { name: 'Reference', pages: reference }, { name: 'Versions', pages: [changelog] }];
}

/** Writes them, and the page that lists them. */
export async function writePages(groups: readonly Group[]): Promise<void> {
  await rm(PAGES, { recursive: true, force: true });
  await mkdir(join(PAGES, 'reference'), { recursive: true });
  const pages = groups.flatMap((group) => group.pages);
  // Comments mark generated tables.
  const write = ({ name, markdown }: Page) =>
    writeFile(join(PAGES, `${name}.md`), markdown.replaceAll(/^<!--.*-->$/gm, ''));
  await Promise.all(pages.map(write));
  await writeFile(join(PAGES, 'index.md'), listOf(groups));
  await cp(join(PROJECT, 'docs/pictures'), join(PAGES, 'pictures'), { recursive: true });
  await cp(join(import.meta.dirname, '../icon.svg'), join(PAGES, 'public/icon.svg'));
}

function listOf(groups: readonly Group[]): string {
  const lines = groups.flatMap(({ name, pages }) => [
    `## ${name}`,
    '',
    '| chapter | what it is about |',
    '|---|---|',
    ...pages.map((page) => `| [${page.title}](/${page.name}) | ${page.summary} |`),
    '',
  ]);
  return `# Guides\n\n${lines.join('\n')}`;
}
