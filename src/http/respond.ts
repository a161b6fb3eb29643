import type { Request, Response } from 'express';

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
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(text));
  res.writeHead(status, headers).end(text);
}
