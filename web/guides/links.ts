import { posix } from 'node:path';

/** Files of the repository that the service serves too, by path. URLs are relative to its origin. */
const served: Record<string, string> = {
  'README.md': '/guides/',
  'openapi/v1.yaml': '/openapi.yaml',
  'generated/openapi.json': '/openapi.json',
};

const GUIDES = '/guides/';

type Target =
  /** A page of the guides, relative to their root, with its heading. */
  | { page: string }
  /** Elsewhere, or only a heading. */
  | { url: string }
  /** Not served: a path in the repository. */
  | { file: string };

/** Where a link of the Markdown file at `from` leads. `pages` maps paths of Markdown files to names of pages. */
export function resolveLink(href: string, from: string, pages: ReadonlyMap<string, string>): Target {
  if (href.startsWith(GUIDES)) return { page: href.slice(GUIDES.length) };
  if (/^[a-z]+:|^[#/]/i.test(href)) return { url: href };
  const [target = '', fragment] = href.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), target));
  const hash = fragment === undefined ? '' : `#${fragment}`;
  const own = pages.get(file + hash);
  if (own !== undefined) return { page: own };
  const page = pages.get(file);
  if (page !== undefined) return { page: page + hash };
  // Headings of the README are not on the list of guides.
  return served[file] === undefined ? { file } : { url: served[file] };
}
