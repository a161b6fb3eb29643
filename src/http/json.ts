import type { Response } from 'express';

/**
 * Replaces Express's `res.json`, which makes a Buffer of every body over 1,000 characters and so two writes of one, and
 * hashes it for an ETag that we don't want: ours is the resource's version.
 */
export function json(this: Response, body: unknown): Response {
  const text = JSON.stringify(body);
  this.setHeader('Content-Type', 'application/json; charset=utf-8');
  this.setHeader('Content-Length', Buffer.byteLength(text));
  this.end(text);
  return this;
}
