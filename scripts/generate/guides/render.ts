import MarkdownIt, { type Token } from 'markdown-it';
import { resolveLink } from './links.ts';

export interface Source {
  markdown: string;
  /** Where the text is in the repository. Its links are relative to that. */
  path: string;
  /** The way from the page to the service's origin: `../`, or nothing. */
  root: string;
}

interface Targets {
  /** URLs of the rendered Markdown files, by path. */
  pages: ReadonlyMap<string, string>;
  /** Place of a request's operation, such as `GET /leads`, in the docs page. */
  operationOf: (code: string) => string | undefined;
}

/** HTML in Markdown is text, so a page has no markup but what Markdown stands for. */
const markdownIt = new MarkdownIt({ html: false });
// Headings are links to themselves.
markdownIt.renderer.rules.heading_open = (tokens, index, options, _env, self) =>
  `${self.renderToken(tokens, index, options)}<a href="#${tokens[index]?.attrGet('id')}">`;
markdownIt.renderer.rules.heading_close = (tokens, index) => `</a></${tokens[index]?.tag}>\n`;
markdownIt.renderer.rules.table_open = () => '<div class="table"><table>\n';
markdownIt.renderer.rules.table_close = () => '</table></div>\n';

/** Renders the content of a page. The service adds what surrounds it. */
export function render({ markdown, path, root }: Source, { pages, operationOf }: Targets): string {
  // Comments mark generated tables.
  const tokens = markdownIt.parse(markdown.replaceAll(/^<!--.*-->$/gm, ''), {});
  const seen = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === 'heading_open' && inline !== undefined) addAnchor(token, inline, seen);
    if (token.type === 'inline') linkInline(token);
  }
  return markdownIt.renderer.render(tokens, markdownIt.options, {});

  function linkInline({ children }: Token): void {
    /** What closes the link around a token. */
    let closing: string | undefined;
    for (const token of children ?? []) {
      if (token.type === 'link_open') closing = openLink(token);
      else if (token.type === 'link_close') {
        if (closing !== undefined && closing !== '') become(token, closing);
        closing = undefined;
      } else if (token.type === 'code_inline' && closing === undefined) {
        const url = operationOf(token.content);
        const code = `<code>${markdownIt.utils.escapeHtml(token.content)}</code>`;
        if (url !== undefined) become(token, `<a href="${root}${url}">${code}</a>`);
      }
    }
  }

  /** Returns the HTML that closes it, if that is not `</a>`. */
  function openLink(token: Token): string {
    const target = resolveLink(String(token.attrGet('href')), path, pages);
    if ('url' in target) {
      token.attrSet('href', /^[a-z]+:|^#/i.test(target.url) ? target.url : root + target.url);
      return '';
    }
    become(token, '<span class="file">');
    return ` (<code>${target.file}</code> in the repository)</span>`;
  }
}

function become(token: Token, html: string): void {
  token.type = 'html_inline';
  token.content = html;
}

/** Gives a heading the id that GitHub would give it. */
function addAnchor(heading: Token, inline: Token, seen: Map<string, number>): void {
  const id = anchorOf(textOf(inline));
  const count = seen.get(id) ?? 0;
  seen.set(id, count + 1);
  heading.attrSet('id', count === 0 ? id : `${id}-${count}`);
}

export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function textOf({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join('');
}

/** The text of a line of Markdown, without its markup. */
export function plainText(markdown: string): string {
  return markdownIt.parseInline(markdown, {}).map(textOf).join('');
}
