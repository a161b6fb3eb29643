import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { DAY, SECOND } from '../values/time.ts';
import { chooseEncoding, compressOnce } from './compressed.ts';

const MAX_AGE = 365 * DAY;
const OPTIONS = { index: false, redirect: false, immutable: true, maxAge: MAX_AGE } as const;

export interface Folder {
  root: string;
  /** Relative paths of the files that pages load. The folder's other files are not served. */
  files: readonly string[];
}

const TEXT_TYPES = new Map([
  ['.css', 'text/css'],
  ['.js', 'text/javascript'],
]);

/**
 * Serves files of several folders below `path/<hash of all files>/`. Their URLs change with their content, so browsers may
 * keep them.
 */
export async function staticFiles(path: string, folders: readonly Folder[]) {
  const router = Router({ caseSensitive: true, strict: true });
  const contents = await Promise.all(folders.map(readFiles));
  const version = hash(contents.flatMap((files) => [...files.values()]));
  const base = `${path}/${version}`;
  for (const [name, body] of contents.flatMap((files) => [...files])) {
    const mediaType = TEXT_TYPES.get(extname(name));
    if (mediaType !== undefined) router.get(base + name, sendCompressed(mediaType, body));
  }
  for (const [index, { root }] of folders.entries()) {
    const files = Router({ caseSensitive: true, strict: true });
    files.use((req, _res, next) => next(contents[index]?.has(req.path) ? undefined : 'router'));
    files.use(express.static(root, OPTIONS));
    router.use(base, files);
  }
  return { router, version };
}

/** By path, such as `/main.js`. */
async function readFiles({ root, files }: Folder): Promise<Map<string, Buffer>> {
  const read = async (name: string) => [`/${name}`, await readFile(join(root, name))] as const;
  return new Map(await Promise.all(files.map(read)));
}

function hash(bodies: readonly Buffer[]): string {
  const sha256 = createHash('sha256');
  for (const body of bodies) sha256.update(createHash('sha256').update(body).digest());
  return sha256.digest('hex').slice(0, 16);
}

/** Passes the request on if the client doesn't accept compression. */
function sendCompressed(mediaType: string, body: Buffer): RequestHandler {
  const copy = compressOnce(body);
  const headers = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Cache-Control': `public, max-age=${MAX_AGE / SECOND}, immutable`,
  };
  return async (req, res, next) => {
    const encoding = chooseEncoding(req, res);
    if (encoding === undefined) return next();
    res
      .set(headers)
      .set('Content-Encoding', encoding)
      .send(await copy(encoding));
  };
}
