import type { Document } from '../http/validation/document.ts';
import type { Group } from './chapters.ts';
import { describedOperations } from './described-operations.ts';

/** What a language model needs first, as Markdown in the format of https://llmstxt.org. */
export function llmsText(document: Document, groups: readonly Group[], publicUrl: string): string {
  const { info, servers = [] } = document;
  const parts = [
    `# ${info.title}`,
    `> ${info.summary ?? ''}`,
    (info.description ?? '').trim(),
    ['Base URLs:', '', ...servers.map(({ url, description = url }) => `- ${description}: ${url}`)].join('\n'),
    section('Documents', [
      link('OpenAPI 3.1', `${publicUrl}/openapi.json`, 'each operation says when to use it'),
      link('OpenAPI 3.0', `${publicUrl}/openapi-3.0.json`, 'the same for older tools'),
      link('Changelog', `${publicUrl}/changelog`, 'JSON, or Markdown with `Accept: text/markdown`'),
    ]),
    ...groups.map((group) => guides(group, publicUrl)),
    ...operations(document, publicUrl),
  ];
  return `${parts.join('\n\n')}\n`;
}

function guides({ name, chapters }: Group, publicUrl: string): string {
  const links = chapters.map(({ name, title, summary }) =>
    link(title, `${publicUrl}/guides/${name}`, summary),
  );
  return section(`Guides: ${name}`, links);
}

/** A section for each tag. */
function operations(document: Document, publicUrl: string): string[] {
  const all = describedOperations(document);
  return (document.tags ?? []).map(({ name }) => {
    const tagged = all.filter(({ tag }) => tag === name);
    const links = tagged.map(({ method, path, url, summary }) =>
      link(`${method} ${path}`, `${publicUrl}/${url}`, summary),
    );
    return section(`Operations: ${name}`, links);
  });
}

function section(heading: string, lines: readonly string[]): string {
  return `## ${heading}\n\n${lines.join('\n')}`;
}

function link(title: string, url: string, about: string): string {
  return `- [${title}](${url}): ${about}`;
}
