import type { Document } from '../../../src/http/validation/document.ts';
import { ORIGIN } from '../../../src/pages/public-documents.ts';
import { readGroups } from '../../../web/guides/readme.ts';
import type { Document as Served } from '../../../web/guides/reference/document.ts';
import { describedOperations } from '../../../web/guides/reference/operations.ts';

const GUIDES = `${ORIGIN}/guides`;

/** What a language model needs first, as Markdown in the format of https://llmstxt.org. */
export function llmsText(document: Document, readme: string): string {
  const { info, servers = [], tags = [] } = document;
  const operations = describedOperations(document as unknown as Served);
  const parts = [
    `# ${info.title}`,
    `> ${info.summary ?? ''}`,
    (info.description ?? '').trim(),
    ['Base URLs:', '', ...servers.map(({ url, description = url }) => `- ${description}: ${url}`)].join('\n'),
    section('Documents', [
      link('OpenAPI 3.1', `${ORIGIN}/openapi.json`, 'each operation says when to use it'),
      link('OpenAPI 3.0', `${ORIGIN}/openapi-3.0.json`, 'the same for older tools'),
      link('Changelog', `${ORIGIN}/changelog`, 'JSON, or Markdown with `Accept: text/markdown`'),
    ]),
    ...readGroups(readme).map(({ name, chapters }) =>
      section(
        `Guides: ${name}`,
        chapters.map((chapter) => link(chapter.title, `${GUIDES}/${chapter.name}`, chapter.summary)),
      ),
    ),
    ...tags.map(({ name }) => {
      const own = operations.filter(({ tag }) => tag === name);
      const links = own.map(({ method, path, page, operation }) =>
        link(`${method} ${path}`, `${GUIDES}/${page}`, operation.summary),
      );
      return section(`Operations: ${name}`, links);
    }),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(heading: string, lines: readonly string[]): string {
  return `## ${heading}\n\n${lines.join('\n')}`;
}

function link(title: string, url: string, about: string): string {
  return `- [${title}](${url}): ${about}`;
}
