import { readFile } from 'node:fs/promises';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { operationLinks } from './operation-links.ts';
import { readGroups, readTour } from './readme.ts';
import { anchorOf, plainText, render, type Source } from './render.ts';

const project = new URL('../../../', import.meta.url);

/** The guides and the changelog as HTML, by file. */
export async function guidesFiles(
  document: OpenAPI.Document,
  /** Files that this run generates from the code, by path. They may be newer than those on disk. */
  generated: Record<string, string>,
): Promise<Record<string, string>> {
  const read = async (path: string) => generated[path] ?? (await readFile(new URL(path, project), 'utf8'));
  const readme = await read('README.md');
  const groups = readGroups(readme);
  const tour = readTour(readme);
  const chapters = groups.flatMap((group) => group.chapters);
  const pages = new Map(chapters.map(({ path, name }) => [path, `guides/${name}`]));
  pages.set(`README.md#${anchorOf(tour.heading)}`, 'guides/tour');
  const targets = { pages, operationOf: operationLinks(document) };
  const sources: [string, Source][] = await Promise.all(
    chapters.map(async ({ name, path }) => [name, { markdown: await read(path), path, root: '../' }]),
  );
  sources.unshift(['tour', { markdown: tour.markdown, path: 'README.md', root: '../' }]);
  const introduction = {
    name: 'tour',
    title: tour.heading,
    summary: 'the first requests, to paste into a shell',
  };
  const list = groups.map((group, index) => ({
    name: group.name,
    chapters: [
      ...(index === 0 ? [introduction] : []),
      ...group.chapters.map(({ name, title, summary }) => ({ name, title, summary: plainText(summary) })),
    ],
  }));
  // Versions have brackets, as Keep a Changelog wants it, but no links.
  const markdown = (await read('CHANGELOG.md')).replaceAll(/^## \[(.+)\]/gm, '## $1');
  const changelog = { markdown, path: 'CHANGELOG.md', root: '' };
  return {
    'generated/guides/chapters.json': `${JSON.stringify(list, null, 2)}\n`,
    ...Object.fromEntries(
      sources.map(([name, source]) => [`generated/guides/${name}.html`, render(source, targets)]),
    ),
    'generated/changelog.html': render(changelog, targets),
  };
}
