import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Router } from 'express';
import { DAY, SECOND } from '../values/time.ts';
import { sendText } from './send-text.ts';

const CACHE_CONTROL = `public, max-age=${(365 * DAY) / SECOND}, immutable`;

export interface Folder {
  root: string;
  /** Relative paths of the files that pages load. The folder's other files are not served. */
  files: readonly string[];
}

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/**
 * Serves files of several folders below `path/<hash of all files>/`. Their URLs change with their content, so browsers may
 * keep them. They are read once, since an upgrade may replace the files of a running process.
 */
export async function staticFiles(path: string, folders: readonly Folder[]) {
  const router = Router({ caseSensitive: true, strict: true });
  const contents = (await Promise.all(folders.map(readFiles))).flat();
  const version = hash(contents.map(({ body }) => body));
  for (const { name, mediaType, body } of contents) {
    router.get(
      `${path}/${version}/${name}`,
      sendText(mediaType, () => body, CACHE_CONTROL),
    );
  }
  return { router, version };
}

function readFiles({ root, files }: Folder) {
  const read = async (name: string) => {
    const mediaType = MEDIA_TYPES[extname(name)];
    if (mediaType === undefined) throw new Error(`The media type of ${name} is unknown.`);
    return { name, mediaType, body: await readFile(join(root, name)) };
  };
  return Promise.all(files.map(read));
}

function hash(bodies: readonly Buffer[]): string {
  const sha256 = createHash('sha256');
  for (const body of bodies) sha256.update(createHash('sha256').update(body).digest());
  return sha256.digest('hex').slice(0, 16);
}
