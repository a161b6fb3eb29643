import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { chooseEncoding, compressOnce } from './compressed.ts';

export function sendJson(makeBody: () => unknown): RequestHandler {
  return sendText('application/json', () => `${JSON.stringify(makeBody())}\n`);
}

/**
 * Creates the text at the first request, so that the service starts sooner. Express responds 304 if the ETag matches.
 * `no-cache` lets caches store it but revalidate each time.
 */
export function sendText(mediaType: string, makeText: () => string): RequestHandler {
  let made: Copies | undefined;
  return async (req, res) => {
    made ??= copiesOf(makeText());
    const { body, hash, copy } = made;
    const encoding = chooseEncoding(req, res);
    // With If-None-Match, Node's fetch sends `no-cache`, for which Express never responds 304.
    delete req.headers['cache-control'];
    res.set({ 'Content-Type': `${mediaType}; charset=utf-8`, 'Cache-Control': 'no-cache' });
    if (encoding === undefined) {
      res.set('ETag', `"${hash}"`).send(body);
      return;
    }
    // Each encoding is a representation with its own strong ETag (RFC 9110, 8.8.3.3).
    res.set({ ETag: `"${hash}-${encoding}"`, 'Content-Encoding': encoding }).send(await copy(encoding));
  };
}

type Copies = ReturnType<typeof copiesOf>;

function copiesOf(text: string) {
  const body = Buffer.from(text);
  return { body, hash: createHash('sha256').update(body).digest('base64url'), copy: compressOnce(body) };
}
