import { thanksPage } from '../../http/page.ts';
import type { OperationContext, Result, Schema } from '../../operation.ts';
import { invalidField, Problem } from '../../problem.ts';
import type { InboundHookRow } from '../tables.ts';

type Headers = Record<string, string>;
type Browsing = Pick<InboundHookRow, 'redirect_url' | 'allowed_origins'>;

/**
 * The CORS headers of the answer: none if any origin may send. Throws 403 for a page of an origin that may not. A request
 * without Origin is not from a page.
 */
export function checkOrigin(
  { allowed_origins: allowed }: Browsing,
  { headers }: Pick<OperationContext, 'headers'>,
): Headers {
  const [first] = allowed;
  if (first === undefined) return {};
  const origin = headers.origin?.toLowerCase();
  if (origin === undefined) return corsFor(first);
  if (allowed.includes(origin)) return corsFor(origin);
  throw new Problem('origin_not_allowed', `This hook does not take data from pages of ${origin}.`, {
    headers: corsFor(first),
  });
}

/** A page of another origin can't read the answer. */
function corsFor(origin: string): Headers {
  return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' };
}

/** A program gets the receipt. A browser that has sent a form is sent on, or shows a page that thanks. */
export function answer(
  { redirect_url: redirect }: Browsing,
  { mediaType, headers = {} }: { mediaType: string; headers?: Headers },
  receipt: Schema<'InboundResult'>,
): Result<'receiveInboundDelivery'> {
  if (mediaType !== 'text/html') return { status: 202, headers, body: { data: receipt } };
  if (redirect === null) return { status: 202, headers, body: thanksPage, mediaType: 'text/html' };
  return { status: 303, headers: { ...headers, Location: redirect }, body: undefined };
}

/** The URL as browsers spell it, in ASCII. Throws 422. */
export function checkRedirect(url: string | null | undefined): string | null | undefined {
  return url ? checkUrl('redirect_url', url).href : url;
}

/** The origins as browsers send them, each once. Throws 422. */
export function checkOrigins(origins: readonly string[] | null | undefined): string[] | undefined {
  if (origins === undefined) return undefined;
  const found = (origins ?? []).map((given, index) => {
    const { origin, href } = checkUrl(`allowed_origins.${index}`, given);
    if (href !== `${origin}/`) throw originInvalid(index);
    return origin;
  });
  return [...new Set(found)];
}

function checkUrl(field: string, text: string): URL {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidField(field, 'must be a URL with http or https, such as https://www.example.com/thanks');
  }
  if (url.username !== '' || url.password !== '') throw invalidField(field, 'must not contain a user name');
  return url;
}

function originInvalid(index: number): Problem {
  return invalidField(
    `allowed_origins.${index}`,
    'must be a scheme, a host and at most a port, such as https://www.example.com',
  );
}
