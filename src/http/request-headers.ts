import type { NextFunction, Request, Response } from 'express';
import { invalidParameter } from './problem.ts';

/**
 * A request has one of each of these at most. Of two, Node takes the first or makes a list of them, where a proxy may
 * have gone by the other. (Two of Content-Length, which would hide a request in another, Node refuses itself.)
 */
const SINGLE = new Map(
  ['Host', 'Authorization', 'X-API-Key', 'Content-Type', 'Idempotency-Key'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** `host [":" port]` of RFC 3986 section 3.2, which may be empty. */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*;=%-]*)(:\d*)?$/i;

/** 400 for headers that say two things, a Host that is missing or none, and an Expect that nobody can meet. */
export function checkHeaders(req: Request, _res: Response, next: NextFunction): void {
  checkRepeats(req.rawHeaders);
  const { host, expect } = req.headers;
  // RFC 9112 section 3.2 and RFC 9110 section 10.1.1: HTTP/1.0 needs no Host and knows no Expect.
  const isOld = req.httpVersion === '1.0';
  if (host === undefined && !isOld) throw invalidParameter('Host', 'is required in HTTP/1.1');
  if (host !== undefined && !HOST.test(host)) {
    throw invalidParameter(
      'Host',
      'must be a name or an address, with a port or without, such as api.example.com',
    );
  }
  if (expect !== undefined && !isOld && expect.toLowerCase() !== '100-continue') {
    throw invalidParameter('Expect', 'must be 100-continue; nothing else can be expected here');
  }
  next();
}

/** `rawHeaders` has names and values in turn. */
function checkRepeats(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = SINGLE.get(rawHeaders[index]?.toLowerCase() ?? '');
    if (name === undefined) continue;
    if (seen.has(name)) throw invalidParameter(name, 'must not be sent more than once');
    seen.add(name);
  }
}
