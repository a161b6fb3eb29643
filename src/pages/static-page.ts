import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { DAY, SECOND } from '../values/time.ts';
import { chooseEncoding, compressOnce } from './compressed.ts';
import { sendText } from './send-text.ts';

const MAX_AGE = 365 * DAY;
const OPTIONS = { index: false, redirect: false, immutable: true, maxAge: MAX_AGE } as const;

interface Folder {
  root: string;
  /** The files that the page loads. The folder's other files are not served. */
  files: readonly string[];
}

const TEXT_TYPES = new Map([
  ['.css', 'text/css'],
  ['.js', 'text/javascript'],
]);

/**
 * Serves a folder's index.html at `path/`. Its other files, also those in subfolders, and those of a library are below
 * `path/<hash of all files>/`. The URLs of the files change with their content, so browsers may keep them. In the page,
 * those URLs begin with `./`.
 */
export async function staticPage(path: string, root: string, library: Folder): Promise<Router> {
  const router = Router({ caseSensitive: true, strict: true });
  const html = await readFile(join(root, 'index.html'), 'utf8');
  const own = await listFiles(root);
  const folders: Folder[] = [{ root, files: own }, library];
  const contents = await Promise.all(folders.map(readFiles));
  const version = hash(contents.flatMap((files) => [...files.values()]));
  const base = `${path}/${version}`;

  // The files have relative URLs, so the page's own URL must end in a slash.
  router.get([path, `${path}/index.html`], (_req, res) => res.redirect(`${path}/`));
  router.get(
    `${path}/`,
    sendText('text/html', () => html.replaceAll('"./', `"./${version}/`)),
  );
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
  return router;
}

/** All files but the page itself, also those in subfolders, as relative paths. */
async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((name) => name !== 'index.html')
    .sort();
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
