/** If a reference is longer, Link contains only `next` and `prev`. Characters. */
const MAX_COMPLETE = 500;
/**
 * A longer Link is left out. Proxies reject a response whose headers exceed their buffer, often 4 KiB, and nginx then also
 * considers the process dead. The other headers take up to 1.4 KiB. Characters.
 */
const MAX_LENGTH = 2_100;

/** The query of each page in a Link header. */
type Targets = Partial<Record<'first' | 'prev' | 'next' | 'last', object>>;

/** The Link header (RFC 8288), relative to the origin. Left out if even the next page's reference would be too long. */
export function linkHeader(url: string, targets: Targets): { Link?: string } {
  const { pathname } = new URL(url);
  const all = Object.entries(targets).map(([rel, query]) => ({ rel, target: withQuery(pathname, query) }));
  const isLong = all.some(({ target }) => target.length > MAX_COMPLETE);
  let links = isLong ? all.filter(({ rel }) => rel === 'next' || rel === 'prev') : all;
  if (write(links).length > MAX_LENGTH) links = links.filter(({ rel }) => rel === 'next');
  const header = write(links);
  return header === '' || header.length > MAX_LENGTH ? {} : { Link: header };
}

function write(links: readonly { rel: string; target: string }[]): string {
  return links.map(({ rel, target }) => `<${target}>; rel="${rel}"`).join(', ');
}

/** The URL with these query parameters. A list of values is joined with commas; an object is written `name[key]=value`. */
function withQuery(url: string, query: object): string {
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).map(([key, text]) => [`${name}[${key}]`, String(text)])
      : [[name, String(value)]],
  );
  return `${url}?${new URLSearchParams(parameters)}`;
}
