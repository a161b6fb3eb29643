import type { NextFunction, Request, Response } from 'express';
import { invalidParameter, Problem } from '../../problem.ts';
import { canonical, withAliases } from '../media-types.ts';

/**
 * Headers that must not be repeated. Node takes the first or joins them, while a proxy in front may have used the other
 * one. (Node itself rejects a repeated Content-Length, which would allow request smuggling.)
 */
const SINGLE = new Map(
  ['Host', 'Authorization', 'X-API-Key', 'Content-Type', 'Idempotency-Key'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** `host [":" port]` (RFC 3986 section 3.2). May be empty. */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*;=%-]*)(:\d*)?$/i;

/**
 * Throws 400 for repeated headers, a missing or invalid Host, and an unsupported Expect. Removes empty headers, which some
 * clients send instead of none, and the parameters of media types in Accept, on which no response depends.
 */
export function checkHeaders(req: Request, _res: Response, next: NextFunction): void {
  checkEach(req);
  const { host, expect, accept } = req.headers;
  if (accept?.includes(';')) req.headers.accept = accept.replaceAll(PARAMETER, '');
  // HTTP/1.0 requires no Host (RFC 9112 section 3.2) and has no Expect (RFC 9110 section 10.1.1).
  const isHttp10 = req.httpVersion === '1.0';
  if (host === undefined && !isHttp10) throw invalidParameter('Host', 'is required in HTTP/1.1');
  if (host !== undefined && !HOST.test(host)) {
    throw invalidParameter(
      'Host',
      'must be a host name or IP address with an optional port, such as api.example.com',
    );
  }
  if (expect !== undefined && !isHttp10 && expect.toLowerCase() !== '100-continue') {
    throw invalidParameter('Expect', 'must be 100-continue; no other expectation is supported');
  }
  next();
}

/** A parameter of a media type, except its weight `q`. It may have been quoted. */
const PARAMETER = /;(?!\s*q\s*=)[^,;="]*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^,;"]*))?/gi;

/** `rawHeaders` alternates names and values. */
function checkEach({ rawHeaders, headers }: Request): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index]?.toLowerCase() ?? '';
    // Keep it if it was sent again with a value.
    if (rawHeaders[index + 1] === '' && field !== 'host' && headers[field] === '') delete headers[field];
    const name = SINGLE.get(field);
    if (name === undefined) continue;
    if (seen.has(name)) throw invalidParameter(name, 'must not be sent more than once');
    seen.add(name);
  }
}

/** 8 KiB for the URL (find-operation.ts responds 414 above that) and 16 KiB for the headers. Bytes. */
const MAX_SIZE = 24 * 1024;

export const headersTooLarge = `The request line and headers must not be larger than ${MAX_SIZE / 1024} KiB.`;

/** Throws 431. Node's own limit is higher: requests it rejects never reach the app and get a less complete response. */
export function checkHeaderSize(req: Request, _res: Response, next: NextFunction) {
  let size = req.method.length + req.originalUrl.length + '  HTTP/1.1\r\n'.length;
  // Names and values alternate, each followed by two characters (": " or CRLF).
  for (const text of req.rawHeaders) size += text.length + 2;
  if (size > MAX_SIZE) throw new Problem('headers_too_large', headersTooLarge);
  next();
}

/** Only a browser that sends a form shows its answer to a person. Some clients that send JSON accept HTML too. */
const PAGE_TYPE = 'text/html';

function isForm({ headers }: Request): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(headers['content-type'] ?? '');
}

/**
 * Sets `req.mediaType`. Throws 406 if the Accept header excludes all media types of the operation (RFC 9110 section 12.5.1).
 * Operations without scopes ignore the header: forms, OAuth libraries and providers of hooks can't change theirs, and must
 * not fail to get a token or to deliver a lead.
 */
export function negotiateMediaType(req: Request, _res: Response, next: NextFunction) {
  const { scopes } = req.match.operation;
  const produces = isForm(req)
    ? req.match.operation.produces
    : req.match.operation.produces.filter((type) => type !== PAGE_TYPE);
  const accepted = req.accepts(withAliases(produces)) || (scopes === null && produces[0]);
  if (accepted !== false) {
    req.mediaType = canonical(String(accepted));
    return next();
  }
  throw new Problem(
    'not_acceptable',
    `The service answers in ${produces.join(' or ')}. Your Accept header must allow that.`,
  );
}
