/** What the guides add to VitePress's Markdown: links that work in the service, and requests that lead to the reference. */
import type { MarkdownRenderer } from 'vitepress';
import { resolveLink } from './links.ts';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

interface Targets {
  /** Names of pages, by the path of their text in the repository. */
  pages: ReadonlyMap<string, string>;
  /** Paths of the texts in the repository, by the name of their page. */
  sources: ReadonlyMap<string, string>;
  /** The place of a request's operation in the reference. */
  operationOf: (code: string) => string | undefined;
}

export function linkPages(markdown: MarkdownRenderer, { pages, sources, operationOf }: Targets): void {
  markdown.core.ruler.push('links_of_the_service', ({ tokens, env, Token }) => {
    const name = String(env.relativePath ?? '').replace(/\.md$/, '');
    const root = '../'.repeat(name.split('/').length - 1) || './';
    const source = sources.get(name);
    for (const [index, inline] of tokens.entries()) {
      const { type, children } = inline;
      // Headings are links already, and the list of chapters has links of its own.
      if (type !== 'inline' || children === null || source === undefined) continue;
      const isHeading = tokens[index - 1]?.type === 'heading_open';
      inline.children = linkInline(children, { root, source, isHeading, Token });
    }
  });

  function linkInline(
    children: Token[],
    {
      root,
      source,
      isHeading,
      Token,
    }: { root: string; source: string; isHeading: boolean; Token: TokenClass },
  ): Token[] {
    let link: Token | undefined;
    return children.flatMap((token) => {
      if (token.type === 'link_open') {
        link = token;
        resolve(token, source, root);
      } else if (token.type === 'link_close') {
        token.tag = link?.tag ?? 'a';
        link = undefined;
      }
      const page =
        token.type === 'code_inline' && link === undefined && !isHeading
          ? operationOf(token.content)
          : undefined;
      if (page === undefined) return [token];
      const open = new Token('link_open', 'a', 1);
      open.attrSet('href', root + page);
      return [open, token, new Token('link_close', 'a', -1)];
    });
  }

  /** A file that the service does not serve is named instead. */
  function resolve(open: Token, source: string, root: string): void {
    const target = resolveLink(String(open.attrGet('href')), source, pages);
    if ('page' in target) open.attrSet('href', root + target.page);
    else if ('file' in target) {
      open.type = 'file_open';
      open.tag = 'span';
      open.attrs = [['title', `${target.file} in the repository`]];
    } else {
      open.attrSet('href', target.url);
      // VitePress takes links of the origin for its own pages otherwise.
      if (target.url.startsWith('/') && !target.url.startsWith('/guides/')) open.attrSet('target', '_self');
    }
  }
}

type TokenClass = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

/** The id that GitHub would give a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
