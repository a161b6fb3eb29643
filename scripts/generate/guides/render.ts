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
    // Headings are links already.
    if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') linkInline(token);
  }
  return markdownIt.renderer.render(tokens, markdownIt.options, {});

  function linkInline({ children }: Token): void {
    const tokens = children ?? [];
    let end = -1;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'link_open') {
        end = tokens.findIndex(({ type }, place) => place > index && type === 'link_close');
        resolve(token, tokens.slice(index + 1, end), tokens[end] as Token);
      } else if (token.type === 'code_inline' && index > end) {
        const url = operationOf(token.content);
        const code = `<code>${markdownIt.utils.escapeHtml(token.content)}</code>`;
        if (url !== undefined) become(token, `<a href="${root}${url}">${code}</a>`);
      }
    }
  }

  /** Points a link to its place in the service. If its file is not served, the text names it instead. */
  function resolve(open: Token, text: Token[], close: Token): void {
    const target = resolveLink(String(open.attrGet('href')), path, pages);
    if ('url' in target) {
      open.attrSet('href', /^[a-z]+:|^#/i.test(target.url) ? target.url : root + target.url);
      return;
    }
    const { file } = target;
    const isNamed = text.map(({ content }) => content).join('') === file;
    become(open, '<span class="file">');
    become(close, `${isNamed ? ' in the repository' : ` (<code>${file}</code> in the repository)`}</span>`);
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
