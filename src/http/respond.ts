import type { Request, Response } from 'express';

/** Of a text that a client does not take at once Node keeps three bytes for each character; a longer one is made a Buffer. */
const LONG = 64 * 1024;

/**
 * Sends the answer: `body` as JSON, or none when it is undefined, with the headers that the request's middlewares left
 * in `req.answer`.
 *
 * All headers go to writeHead() at once, and the text to end(): Node checks and stores each setHeader() by itself, and
 * Express's res.json makes a Buffer of every body over 1,000 characters and so two writes of one, and hashes it for an
 * ETag that we don't want: ours is the resource's version.
 */
export function respond(req: Request, res: Response, status: number, body?: unknown): void {
  const headers = req.answer ?? {};
  if (body === undefined) {
    res.writeHead(status, headers).end();
    return;
  }
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(length);
  res.writeHead(status, headers).end(length < LONG ? text : Buffer.from(text));
}
