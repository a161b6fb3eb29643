import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vitepress';
import { readDocument, readPages, writePages } from './pages.ts';

const DIST = join(import.meta.dirname, 'dist');

/** Builds the guides, and returns their folder. Fails on a dead link. */
export async function buildGuides(): Promise<string> {
  await writePages(await readPages(await readDocument()));
  await build(import.meta.dirname);
  await writeFile(join(DIST, 'inline-scripts.json'), JSON.stringify(await inlineScripts()));
  return DIST;
}

/** The hashes of the scripts within the pages, for a Content-Security-Policy that allows no others. */
async function inlineScripts(): Promise<string[]> {
  const files = (await readdir(DIST, { recursive: true })).filter((name) => name.endsWith('.html'));
  const pages = await Promise.all(files.map((name) => readFile(join(DIST, name), 'utf8')));
  const scripts = pages.flatMap((page) => [
    ...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^<]*)<\/script>/g),
  ]);
  const hashes = scripts.map(([, script = '']) => createHash('sha256').update(script).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}
