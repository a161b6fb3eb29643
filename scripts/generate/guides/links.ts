import { posix } from 'node:path';

/** Files of the repository that the service serves too, by path. URLs are relative to its origin. */
const served: Record<string, string> = {
  'README.md': 'guides/',
  'CHANGELOG.md': 'changelog',
  'openapi/v1.yaml': 'openapi.yaml',
  'generated/openapi.json': 'openapi.json',
  'generated/postman-collection.json': 'postman-collection.json',
};

type Target =
  /** Relative to the service's origin, or absolute, or only a fragment. */
  | { url: string }
  /** Not served: a path in the repository. */
  | { file: string };

/** Where a link of the Markdown file at `from` leads in the service. `pages` maps paths of Markdown files to URLs. */
export function resolveLink(href: string, from: string, pages: ReadonlyMap<string, string>): Target {
  if (/^[a-z]+:|^#/i.test(href)) return { url: href };
  const [target = '', fragment] = href.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), target));
  const hash = fragment === undefined ? '' : `#${fragment}`;
  const url = pages.get(file + hash) ?? pages.get(file);
  if (url !== undefined) return { url: pages.has(file + hash) ? url : url + hash };
  // Headings of the README are not on the list of guides.
  return file in served ? { url: `${served[file]}` } : { file };
}
