/** If a reference is longer, Link contains only `next` and `prev`. Characters. */
const MAX_COMPLETE = 500;
/**
 * A longer Link is left out. Proxies reject a response whose headers exceed their buffer, often 4 KiB, and nginx then also
 * considers the process dead. The other headers take up to 1.4 KiB. Characters.
 */
const MAX_LENGTH = 2_100;

/** What is added to the query for each page in a Link header. */
type Targets = Partial<Record<'first' | 'prev' | 'next' | 'last', { page: number } | { cursor: string }>>;

/**
 * The Link header (RFC 8288), relative to the origin. Left out if even the next page's reference would be too long. `query` is
 * what all pages share.
 */
export function linkHeader(url: string, query: object, targets: Targets): { Link?: string } {
  const shared = `${pathOf(url)}?${written(query)}`;
  const all = Object.entries(targets).map(([rel, place]) => {
    const [[name, value] = []] = Object.entries(place);
    return { rel, target: `${shared}${name}=${value}` };
  });
  const isLong = all.some(({ target }) => target.length > MAX_COMPLETE);
  let links = isLong ? all.filter(({ rel }) => rel === 'next' || rel === 'prev') : all;
  if (write(links).length > MAX_LENGTH) links = links.filter(({ rel }) => rel === 'next');
  const header = write(links);
  return header === '' || header.length > MAX_LENGTH ? {} : { Link: header };
}

/** The path of an absolute URL without a query. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3));
}

function write(links: readonly { rel: string; target: string }[]): string {
  return links.map(({ rel, target }) => `<${target}>; rel="${rel}"`).join(', ');
}

/** The parameters, each followed by `&`. A list of values is joined with commas; an object is written `name[key]=value`. */
function written(query: object): string {
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).map(([key, text]) => [`${name}[${key}]`, String(text)])
      : [[name, String(value)]],
  );
  return parameters.length === 0 ? '' : `${new URLSearchParams(parameters)}&`;
}
