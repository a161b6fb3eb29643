import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hashSecret, secretMatches } from '../../values/secrets.ts';
import type { Verification } from '../tables.ts';

interface Signed {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** As the sender knows it. */
  url: string;
}

/** The name of signatures in a list such as `t=1700000000,v1=5257a8…`. */
const LISTED = 'v1=';
/** A later time in seconds than any sender means. Larger timestamps are in milliseconds. */
const MAX_SECONDS = 1e11;
/** More signatures than any sender lists while it changes its secret. */
const MAX_SIGNATURES = 10;

/** Whether one of the request's signatures is the HMAC-SHA256 of what the hook expects to be signed, and recent enough. */
export function hasSignature(verification: Verification, secret: string, request: Signed): boolean {
  const { signatures, timestamp } = read(verification, request.headers);
  const { tolerance } = verification;
  if (typeof tolerance === 'number' && !isRecent(timestamp, tolerance)) return false;
  const encoding = verification.encoding ?? 'hex';
  const hmac = createHmac('sha256', secret);
  for (const part of signedParts(verification.signed ?? '{body}', timestamp, request)) hmac.update(part);
  const expected = hashSecret(hmac.digest(encoding));
  return signatures
    .map((signature) => (encoding === 'hex' ? signature.toLowerCase() : signature))
    .some((signature) => secretMatches(signature, expected));
}

/** The signatures without their prefix, and the timestamp. */
function read(
  { header, prefix, signed, timestamp_header: timestampHeader }: Verification,
  headers: IncomingHttpHeaders,
): { signatures: string[]; timestamp: string } {
  const value = headerOf(headers, header);
  if (timestampHeader !== null && timestampHeader !== undefined) {
    return { signatures: withoutPrefix([value], prefix), timestamp: headerOf(headers, timestampHeader) };
  }
  if (!signed?.includes('{timestamp}')) return { signatures: withoutPrefix([value], prefix), timestamp: '' };
  const items = value.split(',').map((item) => item.trim());
  const [timestamp = ''] = withoutPrefix(items, 't=');
  return { signatures: withoutPrefix(items, prefix ?? LISTED).slice(0, MAX_SIGNATURES), timestamp };
}

function headerOf(headers: IncomingHttpHeaders, name: string | null): string {
  const value = headers[name?.toLowerCase() ?? ''];
  return typeof value === 'string' ? value : '';
}

function withoutPrefix(items: readonly string[], prefix: string | null): string[] {
  const start = prefix ?? '';
  return items.filter((item) => item.startsWith(start)).map((item) => item.slice(start.length));
}

function isRecent(timestamp: string, tolerance: number): boolean {
  if (!/^\d{1,16}$/.test(timestamp)) return false;
  const time = Number(timestamp);
  const seconds = time > MAX_SECONDS ? time / 1_000 : time;
  return Math.abs(Date.now() / 1_000 - seconds) <= tolerance;
}

/** The template with its placeholders replaced. */
function signedParts(template: string, timestamp: string, { body, url }: Signed): (string | Buffer)[] {
  const values: Record<string, string | Buffer> = {
    '{timestamp}': timestamp,
    '{body}': body,
    '{method}': 'POST',
    '{url}': url,
  };
  return template.split(/(\{\w+\})/).map((part) => values[part] ?? part);
}
