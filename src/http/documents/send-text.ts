import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { chooseEncoding, compressOnce } from './compressed.ts';

export function sendJson(body: unknown): RequestHandler {
  return sendText('application/json', `${JSON.stringify(body)}\n`);
}

/** Express responds 304 if the ETag matches. `no-cache` lets caches store it but revalidate each time. */
export function sendText(mediaType: string, text: string): RequestHandler {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('base64url');
  const copy = compressOnce(body);
  return async (req, res) => {
    const encoding = chooseEncoding(req, res);
    res.set({ 'Content-Type': `${mediaType}; charset=utf-8`, 'Cache-Control': 'no-cache' });
    if (encoding === undefined) {
      res.set('ETag', `"${hash}"`).send(body);
      return;
    }
    // Each encoding is a representation with a strong ETag of its own (RFC 9110, 8.8.3.3).
    res.set({ ETag: `"${hash}-${encoding}"`, 'Content-Encoding': encoding }).send(await copy(encoding));
  };
}
