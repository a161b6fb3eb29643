import { join } from 'node:path';
import type { Folder } from './static-files.ts';

const SITE = join(import.meta.dirname, 'site');

/** Files of site/, which several pages load. */
export function sharedFiles(...files: string[]): Folder {
  return { root: SITE, files };
}
